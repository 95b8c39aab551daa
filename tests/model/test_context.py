"""What a model is given: unset is None, zero is a value."""

from __future__ import annotations

from dataclasses import fields

import pytest

from companion.model import ModelContext, ModelParams, ModelReport, SystemPrompt


def test_every_parameter_is_unset_until_it_is_set() -> None:
    params = ModelParams()

    assert all(getattr(params, field.name) is None for field in fields(params))


def test_zero_is_a_value() -> None:
    assert ModelParams(temperature=0.0, top_p=0.0) != ModelParams()


def test_an_empty_context_is_a_good_context() -> None:
    context = ModelContext()

    assert context.prompts == context.messages == ()
    assert context.closing == ""
    assert context.params == ModelParams()


def test_nobody_changes_a_context_under_a_model() -> None:
    context = ModelContext(prompts=(SystemPrompt("who", "You are kind."),))

    with pytest.raises(AttributeError):
        context.closing = "now"  # type: ignore[misc]


def test_a_model_that_is_not_loaded_costs_nothing() -> None:
    report = ModelReport("tiny", loaded=False)

    assert (report.load_seconds, report.memory_bytes, report.speed, report.speed_unit) == (0.0, 0, 0.0, "")
