"""What the services of DashScope that are no chat have in common: addresses, and how they say that they failed.

Source: Alibaba Cloud Model Studio, "DashScope API reference"; as read in its Python SDK 2.0.
"""

from __future__ import annotations

from urllib.parse import SplitResult

from companion.dialects.dashscope_faults import dashscope_fault
from companion.dialects.fields import Fields, as_fields, inner
from companion.dialects.urls import split_url
from companion.model.options import JsonValue

_SERVICES = "/services/"
_VERSION = "/api/v1"


def service_url(base_url: str, service: str) -> str:
    """The address of a service ("rerank/text-rerank/text-rerank") of the endpoint at ``base_url``.

    An address that names a service already is taken as it is.

    Raises:
        SettingsError: ``base_url`` is no URL.
    """
    parts = split_url(base_url)
    if _SERVICES in parts.path:
        return parts._replace(fragment="").geturl()
    return _under(parts, f"{_SERVICES}{service}")


def task_url(base_url: str, task: str, *steps: str) -> str:
    """The address of a task, or of a step with it ("cancel").

    Raises:
        SettingsError: ``base_url`` is no URL.
    """
    parts = split_url(base_url)
    root = parts._replace(path=parts.path.partition(_SERVICES)[0])
    return _under(root, "/".join(("/tasks", task, *steps)))


def output_of(answer: JsonValue, place: str) -> Fields:
    """The ``output`` of an answer.

    Raises:
        WireBroken: it is malformed.
        ModelError: the provider says that it failed.
    """
    fields = as_fields(answer, place)
    if fields.get("output") is None and (fields.get("code") or fields.get("message")):
        raise dashscope_fault(0, answer)
    return inner(fields, "output", place)


def _under(parts: SplitResult, path: str) -> str:
    root = parts.path if _VERSION in f"{parts.path}/" else parts.path + _VERSION
    return parts._replace(path=root + path, fragment="").geturl()
