"""Texts with labels, by what the labels ask for."""

from gateway.embedded.data.texts.categories import CATEGORY_SETS
from gateway.embedded.data.texts.knowledge import KNOWLEDGE_SETS
from gateway.embedded.data.texts.labelset import LabelSet, written
from gateway.embedded.data.texts.languages import LANGUAGE_SETS
from gateway.embedded.data.texts.opinions import OPINION_SETS

SETS = (*OPINION_SETS, *CATEGORY_SETS, *LANGUAGE_SETS, *KNOWLEDGE_SETS)

__all__ = ["SETS", "LabelSet", "written"]
