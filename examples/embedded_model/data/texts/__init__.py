"""Texts with labels, by what the labels ask for."""

from embedded_model.data.texts.categories import CATEGORY_SETS
from embedded_model.data.texts.knowledge import KNOWLEDGE_SETS
from embedded_model.data.texts.labelset import LabelSet, written
from embedded_model.data.texts.languages import LANGUAGE_SETS
from embedded_model.data.texts.opinions import OPINION_SETS

SETS = (*OPINION_SETS, *CATEGORY_SETS, *LANGUAGE_SETS, *KNOWLEDGE_SETS)

__all__ = ["SETS", "LabelSet", "written"]
