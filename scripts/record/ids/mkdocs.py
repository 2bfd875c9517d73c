# Pages on the standard input, their ids on the standard output.
import html
import json
import re
import sys

import markdown

extensions = ["toc", "tables", "fenced_code", "attr_list", "md_in_html", "admonition"]
answers = {}
for name, page in json.load(sys.stdin).items():
    made = markdown.markdown(page, extensions=extensions)
    ids = [html.unescape(found) for found in re.findall(r'<[a-z][^<>]*? id="([^"]*)"', made)]
    answers[name] = list(dict.fromkeys(ids))
json.dump(answers, sys.stdout)
