"""The ids of pages as mdBook gives them: pages on standard input as JSON, ids on standard output."""
import json, os, subprocess, sys, tempfile
from html.parser import HTMLParser


class Ids(HTMLParser):
    def __init__(self):
        super().__init__()
        self.inside, self.ids = False, []

    def handle_starttag(self, tag, attributes):
        if tag == 'main':
            self.inside = True
        for name, value in attributes:
            if self.inside and (name == 'id' or (tag == 'a' and name == 'name')) and value:
                self.ids.append(value)

    def handle_endtag(self, tag):
        if tag == 'main':
            self.inside = False


pages = json.load(sys.stdin)
answers = {}
with tempfile.TemporaryDirectory() as book:
    os.mkdir(os.path.join(book, 'src'))
    names = {name: f'page-{number}' for number, name in enumerate(pages)}
    with open(os.path.join(book, 'book.toml'), 'w', encoding='utf8') as file:
        file.write('[book]\ntitle = "Ids"\n')
    with open(os.path.join(book, 'src', 'SUMMARY.md'), 'w', encoding='utf8') as file:
        file.writelines(f'- [{page}]({page}.md)\n' for page in names.values())
    for name, page in names.items():
        with open(os.path.join(book, 'src', f'{page}.md'), 'w', encoding='utf8') as file:
            file.write(pages[name])
    program = os.path.join(os.path.dirname(sys.executable), 'mdbook')
    subprocess.run([program, 'build', book], check=True, stdout=sys.stderr)
    for name, page in names.items():
        ids = Ids()
        with open(os.path.join(book, 'book', f'{page}.html'), encoding='utf8') as file:
            ids.feed(file.read())
        answers[name] = ids.ids
json.dump(answers, sys.stdout)
