"""The links of the book, for .ci/book: `book_links.py prepare SOURCES ADDRESS`, `book_links.py check HTML`."""

import pathlib
import re
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent


def prepare(sources, address):
    """Makes the README of each folder its index, as mdBook does, with the links to it; links to files that are not in the book lead to
    the repository at this address."""
    for path in sources.rglob("README.md"):
        path.rename(path.with_name("index.md"))
    for path in sources.rglob("*.md"):
        text = path.read_text()
        path.write_text(re.sub(r"(?<=\]\()[^)\s]+(?=\))", lambda link: prepared(link[0], path.parent, sources, address), text))


def prepared(link, folder, sources, address):
    parts = urlsplit(link)
    if parts.scheme or not parts.path:
        return link
    place = (folder / parts.path).resolve()
    if place.name == "README.md" and place.with_name("index.md").exists():
        return link.replace("README.md", "index.md")
    inside = place.relative_to(sources)
    if place.exists() and not place.is_dir():
        return link
    if not (REPOSITORY / inside).exists():
        sys.exit(f"{folder}: {link} leads nowhere")
    kind = "tree" if (REPOSITORY / inside).is_dir() else "blob"
    return f"{address}/{kind}/main/{inside}" + (f"#{parts.fragment}" if parts.fragment else "")


class Page(HTMLParser):
    """The names in a page and where it leads."""

    def __init__(self, text):
        super().__init__()
        self.names, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key == "id" or (tag == "a" and key == "name"):
                self.names.add(value)
            elif key in ("href", "src") and value:
                self.links.append(value)


def check(root):
    """Ends with an error if a link within the book leads nowhere."""
    pages = {path: Page(path.read_text()) for path in root.rglob("*.html") if path.name not in ("404.html", "toc.html")}
    broken = set()
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            known = target.exists() and (not parts.fragment or target not in pages or unquote(parts.fragment) in pages[target].names)
            if not known:
                broken.add(f"{path.relative_to(root)}: {link}")
    print(f"{len(pages)} pages, {len(broken)} broken links", *sorted(broken), sep="\n")
    sys.exit(bool(broken))


if sys.argv[1] == "prepare":
    prepare(pathlib.Path(sys.argv[2]).resolve(), sys.argv[3])
else:
    check(pathlib.Path(sys.argv[2]).resolve())
