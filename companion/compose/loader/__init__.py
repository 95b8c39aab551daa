"""Models from configuration files: read, checked, made and registered, the whole folder or nothing of it."""

from companion.compose.loader.credentials import Credentials, Missing
from companion.compose.loader.department import Department, MuxDepartment, generator_department
from companion.compose.loader.entry import Entry, ModelType
from companion.compose.loader.fields import Fields
from companion.compose.loader.loader import ModelLoader, Report
from companion.compose.loader.parse import Unready

__all__ = [
    "Credentials",
    "Department",
    "Entry",
    "Fields",
    "Missing",
    "ModelLoader",
    "ModelType",
    "MuxDepartment",
    "Report",
    "Unready",
    "generator_department",
]
