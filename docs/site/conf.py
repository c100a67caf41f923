"""Configuration of the documentation site, which `make site` builds: Sphinx, with pages in Markdown."""

from __future__ import annotations

import tomllib
from pathlib import Path

# This file is copied beside the pages that tools/site.py lays out, where `checkout` is a link to the repository.
ROOT = (Path(__file__).parent / "checkout").resolve()

project = "Artfish"
author = "The Artfish authors"
copyright = "2026 The Artfish authors, GPL-3.0-or-later"
release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
version = release

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["checkout"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
default_role = "code"  # docstrings write `names` as Markdown does

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_class_signature = "mixed"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True

html_theme = "furo"
html_title = f"Artfish {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["pictures.js"]
html_copy_source = False
html_show_sphinx = False
