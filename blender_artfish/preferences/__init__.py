"""The preferences of the add-on, its keys, and the pie menu that one of them opens."""
