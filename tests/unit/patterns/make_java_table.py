"""Writes java_table.json beside this file: what Java's own engine says of many patterns. Needs a JDK; run by hand.

    python tests/unit/patterns/make_java_table.py

`inputs` are the texts that each pattern is searched in; `rows` maps a pattern to one digit an input (1: found), or to
"error" where Java refuses it.
"""

import json
import random
import subprocess
import tempfile
from pathlib import Path

TABLE = Path(__file__).with_name("java_table.json")
JAVA = r"""
import java.io.*; import java.nio.charset.StandardCharsets; import java.util.regex.*;
public class Table {
  static String text(String s) {
    StringBuilder b = new StringBuilder();
    for (int i = 0; i < s.length(); i++)
      if (s.charAt(i) == '\\') { b.append((char) Integer.parseInt(s.substring(i + 1, i + 5), 16)); i += 4; }
      else b.append(s.charAt(i));
    return b.toString();
  }
  public static void main(String[] a) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line; (line = in.readLine()) != null; ) {
      String[] parts = line.split("\t", -1);
      StringBuilder found = new StringBuilder();
      try {
        Pattern p = Pattern.compile(text(parts[0]));
        for (int i = 1; i < parts.length; i++) found.append(p.matcher(text(parts[i])).find() ? '1' : '0');
      } catch (PatternSyntaxException e) { found = new StringBuilder("error"); }
      System.out.println(found);
    }
  }
}
"""
INPUTS = ["", "a", "b", "A", "ab", "aab", "aAbB09_", "Z", "0", "99", "-", " ", "\n", "a\n", "a\r\n", "\r\nb", "é", "ß"]
INPUTS += [
    "😀",
    "a b",
    "a.b",
    "{2}",
    "[]",
    "$^",
    "\t",
    "&",
    "a&b",
    "~",
    "\u2028",
    "x\u0085",
    "aa\nbb",
    "AAAA",
    "#",
    "/",
]
INPUTS += ["\\", "(a)", "😀a", ",", "É", "日本", "\x00", "\x7f", "arn:aws:iam::123456789012:role/x"]
TOKENS = [
    "a",
    "b",
    "A",
    "Z",
    "0",
    "9",
    "_",
    "-",
    " ",
    ".",
    "^",
    "$",
    "*",
    "+",
    "?",
    "{2}",
    "{1,}",
    "{0,2}",
    "{",
    "}",
    "(",
]
TOKENS += [
    ")",
    "(?:",
    "(?=",
    "(?!",
    "(?<=",
    "(?<!",
    "(?>",
    "(?<n>",
    "(?i)",
    "(?i:",
    "(?s)",
    "(?m)",
    "(?x)",
    "(?-i)",
    "|",
]
TOKENS += ["[", "[^", "]", "&&", r"\d", r"\D", r"\w", r"\s", r"\h", r"\v", r"\b", r"\B", r"\A", r"\Z", r"\z", r"\p{L}"]
TOKENS += [
    r"\p{Alpha}",
    r"\P{Lu}",
    r"\p{IsLatin}",
    r"\p{Punct}",
    r"\pN",
    r"\Q",
    r"\E",
    r"\n",
    r"\t",
    r"\x41",
    r"\u0061",
]
TOKENS += [
    r"\x{1F600}",
    r"\0101",
    r"\1",
    r"\k<n>",
    r"\.",
    r"\-",
    "#",
    "\n",
    "é",
    "😀",
    ",",
    "&",
    "a-z",
    "A-Z",
    "0-9",
    "/",
]
NAMED = ["Lower", "Upper", "ASCII", "Alpha", "Digit", "Alnum", "Punct", "Graph", "Print", "Blank", "Cntrl", "XDigit"]
NAMED += [
    "Space",
    "L",
    "Lu",
    "Ll",
    "LC",
    "M",
    "N",
    "Nd",
    "P",
    "Sc",
    "Zs",
    "C",
    "L1",
    "all",
    "IsAlphabetic",
    "IsL",
    "IsLu",
]
NAMED += [
    "IsHan",
    "script=Greek",
    "sc=Cyrl",
    "InGreek",
    "blk=Arrows",
    "gc=Ll",
    "javaLowerCase",
    "IsWhite_Space",
    "Nope",
]
WRITTEN = [
    *(rf"^\{letter}{{{name}}}+$" for name in NAMED for letter in "pP"),
    *(rf"(?i)\p{{{name}}}" for name in NAMED),
    *(rf"(?U)\p{{{name}}}" for name in NAMED[:13]),
    *(rf"[^\p{{{name}}}\d]" for name in NAMED[:16]),
    *(rf"^\{letter}+$" for letter in "dDwWsShHvVRXbB"),
    *(rf"(?U)^\{letter}+$" for letter in "dDwWsS"),
    *(rf"\{letter}" for letter in "aefntrghijklmoqyzCEFIJKLMOTUY_-/!"),
    *("[]a]", "[^]a]", "[a-]", "[-a]", "[a-c&&[b-d]]", "[a-z&&[^b]]", "[^a-z&&[^b]]", "[a[bc]]", "[a-d[m-p]]", "[&&a]"),
    *(
        "[a&&]",
        "[a&b]",
        "[[:alpha:]]",
        r"[\]]",
        r"[a\-z]",
        r"[\w-.]",
        r"[\d-a]",
        "[z-a]",
        "[",
        "[a",
        "[a&&b&&c]",
        r"[\b]",
    ),
    *(
        "a{2}{3}",
        "^.*{1,8}$",
        "a**",
        "a*+a",
        "a++b",
        "a?+a",
        "a*?b",
        "a{2}+",
        "{a}",
        "a{",
        "a{,2}",
        "{{resolve:.*}}",
        "a}",
    ),
    *(
        "a{1",
        "a{2,1}",
        "a{99999999999}",
        "x*{0}",
        "^*a",
        r"\b+a",
        "(?=a)*b",
        "()",
        "(|a)+b",
        "(a|b)*?$",
        ")",
        "(",
        "(?",
        "(?<",
    ),
    *(
        "(?<1>a)",
        "(?<n>a)(?<n>b)",
        r"(?<n>a)\k<n>",
        r"\k<n>",
        r"(a)\1",
        r"\1(a)",
        r"(a)\11",
        "(?<=a*)b",
        "(?<=a{1,3})b",
    ),
    *(
        "(?<!a)b",
        "(?<=a|bb)b",
        "(?i)É",
        "(?iu)É",
        "(?i)a[b-d]É",
        "(?i:a)A",
        "(?i)a(?-i)B",
        "a(?i)B|b",
        "(?x) a b # c\nd",
        "(?x)[a b]",
    ),
    *(
        "(?s).+",
        ".+",
        "(?d).+",
        "(?m)^b",
        "(?m)a$",
        "a$",
        "(?d)a$",
        r"a\Z",
        r"a\z",
        r"\Aa",
        r"\Gb",
        "(?m)^",
        "(?dm)^b",
        "(?z)a",
    ),
    *(
        r"\u0061",
        r"\ud83d\ude00",
        r"\u006",
        r"\x4",
        r"\x{110000}",
        r"\x{}",
        r"\07",
        r"\08",
        r"\cA",
        r"\N{DIGIT ONE}",
        r"\Qa.b\E+",
    ),
    *(
        r"\Q",
        r"a\Q\E+",
        r"[\Q]\E]",
        r"\\Qa",
        "(?P<n>a)",
        "(?#c)a",
        r"\p",
        r"\p{",
        r"\p{}",
        "日本",
        "[日-本]",
        "\\",
        "^[\\s\\S]{1,5}$",
    ),
    r"^arn:(aws|aws-cn|aws-us-gov):iam::\d{12}:role/[\w+=,.@-]+$",
    r"^(?!aws:)[\p{L}\p{Z}\p{N}_.:/=+\-@]*$",
    r"^([\p{L}\p{Z}\p{N}_.:/=+\-@]*)$",
    r"[\u0009\u000A\u000D\u0020-\u007E\u00A1-\u00FF]+",
    r"^([a-z,A-Z,0-9,. _\-:/()#,@[\]+=&;\{\}!$*])*$",
]


def make_patterns():
    chance = random.Random(20)
    made = ("".join(chance.choice(TOKENS) for _ in range(chance.randint(1, 8))) for _ in range(900))
    return list(dict.fromkeys([*WRITTEN, *made]))


def encode(text):
    units = text.encode("utf-16-be").hex(" ", 2).split()
    characters = (chr(int(unit, 16)) for unit in units)
    return "".join(c if 32 <= ord(c) < 127 and c != "\\" else f"\\{ord(c):04x}" for c in characters)


def main():
    patterns = make_patterns()
    lines = ["\t".join(map(encode, [pattern, *INPUTS])) for pattern in patterns]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "Table.java"
        source.write_text(JAVA, encoding="ascii")
        done = subprocess.run(["java", source], input="\n".join(lines), capture_output=True, text=True, check=True)
    rows = dict(zip(patterns, done.stdout.split(), strict=True))
    body = ",\n".join(f"  {json.dumps(pattern)}: {json.dumps(found)}" for pattern, found in rows.items())
    TABLE.write_text(f'{{"inputs": {json.dumps(INPUTS)},\n "rows": {{\n{body}\n}}}}\n', encoding="ascii")


if __name__ == "__main__":
    main()
