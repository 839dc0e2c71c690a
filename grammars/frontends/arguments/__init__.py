"""Arguments of a call in other spellings than JSON: members between markers, keyword arguments, raw strings."""
