"""Languages other than English: what is trained, and Italian, which is held out."""

from embedded_model.data.domains.languages.farther import CZECH, INDONESIAN, POLISH, TURKISH
from embedded_model.data.domains.languages.french import FRENCH
from embedded_model.data.domains.languages.german import GERMAN
from embedded_model.data.domains.languages.germanic import DANISH, DUTCH, SWEDISH
from embedded_model.data.domains.languages.italian import ITALIAN
from embedded_model.data.domains.languages.language import Language
from embedded_model.data.domains.languages.romance import CATALAN, PORTUGUESE, ROMANIAN
from embedded_model.data.domains.languages.spanish import SPANISH

_LARGE = (GERMAN, FRENCH, SPANISH)
_SMALL = (PORTUGUESE, CATALAN, ROMANIAN, DUTCH, SWEDISH, DANISH, POLISH, CZECH, TURKISH, INDONESIAN)
TRAIN_LANGUAGES = _LARGE * 3 + _SMALL
"""The first three have phrases for many more tools, so they come three times as often."""
HELDOUT_LANGUAGES = (ITALIAN,)

__all__ = ["HELDOUT_LANGUAGES", "TRAIN_LANGUAGES", "Language"]
