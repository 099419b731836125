#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "sexpr/datum.h"
#include "sexpr/printer.h"
#include "sexpr/reader.h"
#include "support/diagnostic.h"

using namespace lantern;
using namespace lantern::sexpr;

namespace {

std::string line_of(const std::string& text) { return print_line(*read(text, "t").items.at(0)); }

std::string error_of(const std::string& text) {
  try {
    read(text, "<test>");  // no such file: lines shown come from the text
  } catch (const Failure& failure) {
    CHECK(failure.outcome() == Outcome::program_is_wrong);
    return render(failure.diagnostics);
  }
  return "";
}

// Grows data breadth first, so that neither depth nor size runs away.
const Datum* random_datum(Document& document, std::mt19937& random, int depth) {
  static const std::string names[] = {"let", "define", "begin", "if", "x1", "encoder.leaf.weight", "+", "//", "->",
                                      "none?", "value-and-grad", "?", "locations", "-", "_", "while", "for"};
  static const double floats[] = {0.0, -0.0, 0.1, 2.0, 1e100, 5e-324, std::numeric_limits<double>::max(), -1.5e-7,
                                  std::numeric_limits<double>::infinity(), std::nan(""), 123456789012345680.0};
  const auto pick = [&](int n) { return static_cast<int>(random() % n); };
  switch (depth > 0 ? pick(12) : pick(7)) {
    case 0: return document.none();
    case 1: return document.boolean(pick(2) == 0);
    case 2: return document.integer(static_cast<std::int64_t>((std::uint64_t{random()} << 32) | random()) >> pick(64));
    case 3: return document.floating(floats[pick(std::size(floats))]);
    case 4: {
      std::string text;
      for (int i = pick(12); i > 0; --i) text += pick(3) ? static_cast<char>(pick(256)) : 'a';
      if (pick(3) == 0) text += "λ → 🌲 \n\t\"\\";
      return document.string(text);
    }
    case 5: return document.keyword(names[pick(2)]);
    case 6: return document.symbol(names[pick(std::size(names))]);
    default: {
      std::vector<const Datum*> elements;
      if (pick(2)) elements.push_back(document.symbol(names[pick(std::size(names))]));
      for (int i = pick(6); i > 0; --i) elements.push_back(random_datum(document, random, depth - 1));
      return document.list(elements);
    }
  }
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  all.reserve(text.size() * times);
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("every kind of datum reads as itself") {
  const auto document = read("(x -12 3.5 1e3 inf -inf nan true false none \"a\\n\\x41\" :axis none? -> ? // a.b.c -)", "t");
  const Datum& list = *document.items.at(0);
  CHECK(list.head() == "x");
  CHECK(list[1].integer() == -12);
  CHECK(list[2].number() == 3.5);
  CHECK(list[3].is(Kind::floating));
  CHECK(list[4].number() == std::numeric_limits<double>::infinity());
  CHECK(list[5].number() == -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(list[6].number()));
  CHECK(list[7].boolean());
  CHECK_FALSE(list[8].boolean());
  CHECK(list[9].is(Kind::none));
  CHECK(list[10].text() == "a\nA");
  CHECK(list[11].is(Kind::keyword));
  CHECK(list[11].text() == "axis");
  for (int i = 12; i < 18; ++i) CHECK(list[i].is_symbol());
  CHECK(list.size() == 18);
  CHECK(read("-9223372036854775808 9223372036854775807", "t").items.size() == 2);
}

TEST_CASE("comments, blank text and a byte order mark are nothing") {
  CHECK(read("", "t").items.empty());
  CHECK(read("\xEF\xBB\xBF ; only (a comment\r\n;", "t").items.empty());
  CHECK(line_of("(a;b)\n c)") == "(a c)");
}

TEST_CASE("locations count lines and characters, not bytes") {
  const auto document = read("(a\n  \"λλ\" b)", "model.sexpr");
  const Datum& list = *document.items.at(0);
  CHECK(list.location.file_name() == "model.sexpr");
  CHECK(list.location.line == 1);
  CHECK(list.location.column == 1);
  CHECK(list.location.end_line == 2);
  CHECK(list.location.end_column == 10);
  CHECK(list[2].location.line == 2);
  CHECK(list[2].location.column == 8);
  CHECK(list[2].location.end_column == 9);
}

TEST_CASE("the paper's tree_prod reads, and its lets read downwards") {
  const auto text =
      "(define runX (in1 in2) (begin (begin (define tree_prod (base tree) (begin"
      "  (let x0 (getattr tree is_empty) (let x1 (if x0 (begin base) (begin"
      "    (let x1 (getattr tree left) (let x2 (tree_prod base x1) (let x3 (getattr tree right)"
      "    (let x4 (tree_prod base x3) (let x5 (* x2 x4) (let x6 (getattr tree value)"
      "    (let x7 (* x5 x6) x7))))))))) x1)))"
      "  (tree_prod in1 in2) (let x1 x1)))))";
  CHECK(print(read(text, "t")) ==
        "(define runX (in1 in2)\n"
        "  (begin\n"
        "    (begin\n"
        "      (define tree_prod (base tree)\n"
        "        (begin\n"
        "          (let x0 (getattr tree is_empty)\n"
        "          (let x1 (if x0\n"
        "              (begin base)\n"
        "              (begin\n"
        "                (let x1 (getattr tree left)\n"
        "                (let x2 (tree_prod base x1)\n"
        "                (let x3 (getattr tree right)\n"
        "                (let x4 (tree_prod base x3)\n"
        "                (let x5 (* x2 x4)\n"
        "                (let x6 (getattr tree value)\n"
        "                (let x7 (* x5 x6)\n"
        "                x7)))))))))\n"
        "          x1)))\n"
        "        (tree_prod in1 in2)\n"
        "        (let x1 x1)))))\n");
}

TEST_CASE("the layout: one line where it fits, a line an element where not, locations as a paragraph") {
  const std::string x = "x_" + std::string(40, '0');
  std::string locations, laid_out;
  for (int i = 0; i < 12; ++i) locations += " (x" + std::to_string(10 + i) + " 100 20)";
  CHECK(print(read("(f (x) (let y (g x) y)) (matmul " + x + " (+ " + x + " 1) :axis -1 \"" + x + "\")" +
                       "(locations \"t.py\"" + locations + ")",
                   "t")) ==
        "(f (x) (let y (g x) y))\n"
        "(matmul\n"
        "  " + x + "\n"
        "  (+ " + x + " 1)\n"
        "  :axis -1\n"
        "  \"" + x + "\")\n"
        "(locations \"t.py\" (x10 100 20) (x11 100 20) (x12 100 20) (x13 100 20) (x14 100 20) (x15 100 20)\n"
        "  (x16 100 20) (x17 100 20) (x18 100 20) (x19 100 20) (x20 100 20) (x21 100 20))\n");
}

TEST_CASE("floats print shortest and stay floats") {
  CHECK(print_float(0.1) == "0.1");
  CHECK(print_float(2) == "2.0");
  CHECK(print_float(-0.0) == "-0.0");
  CHECK(print_float(1e100) == "1e+100");
  CHECK(print_float(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(print_float(-std::nan("")) == "nan");
}

TEST_CASE("what prints reads back, random data") {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    Document document;
    for (int i = 0; i < 3; ++i) document.items.push_back(random_datum(document, random, round % 9));
    const auto text = print(document);
    const auto back = read(text, "t");
    REQUIRE(equal(document, back));
    REQUIRE(print(back) == text);
    for (const auto* item : document.items) REQUIRE(equal(*item, *read(print_line(*item), "t").items.at(0)));
  }
}

TEST_CASE("random text ends in data or in diagnostics") {
  std::mt19937 random(11);
  const std::string alphabet = "(()) \n\"\\x4;:.-+e0123nanif_?\xCE\xBB\xFF\x01";
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (int i = static_cast<int>(random() % 30); i > 0; --i) text += alphabet[random() % alphabet.size()];
    try {
      const auto document = read(text, "<test>");
      REQUIRE(equal(document, read(print(document), "t")));
    } catch (const Failure& failure) {
      REQUIRE_FALSE(failure.diagnostics.empty());
      for (const auto& diagnostic : failure.diagnostics) REQUIRE(diagnostic.location.known());
    }
  }
}

TEST_CASE("two hundred thousand nested lets read and print") {
  const int depth = 200'000;
  const auto text = repeated("(let x (f x 1)\n", depth) + "x" + std::string(depth, ')') + "\n";
  const auto document = read(text, "t");
  CHECK((print(document) == text));  // the parentheses keep doctest from showing it
  const auto nested = std::string(depth, '(') + std::string(depth, ')');
  const auto lists = read(nested, "t");
  CHECK((print_line(*lists.items.at(0)) == nested));
  const auto laid_out = print(lists);
  CHECK(laid_out.size() < 70u * depth);
  CHECK(equal(lists, read(laid_out, "t")));
}

TEST_CASE("five million open parentheses are an error") {
  CHECK(error_of(repeated("(\n", 5'000'000)) ==
        "<test>:2000001:1: error: lists nest deeper than 2000000 [LT0208]\n"
        "  (\n  ^\n"
        "  hint: split the program into several definitions\n");
  CHECK(error_of(std::string(100'000, '(')).starts_with(
      "<test>:1:1: error: this '(' is never closed, nor are 99999 inside it [LT0201]\n"));
}

TEST_CASE("bad: an open list names the item that probably should have ended it") {
  CHECK(error_of("(define f (x)\n  (+ x 1)\n\n(define g (x) x)\n") ==
        "<test>:1:1: error: this '(' is never closed [LT0201]\n"
        "  (define f (x)\n  ^\n"
        "<test>:4:1: note: an item seems to start here, while that list is still open\n"
        "  hint: check the parentheses of the item before the one noted\n");
}

TEST_CASE("bad: a ')' that closes nothing") {
  CHECK(error_of("(f x))") ==
        "<test>:1:6: error: this ')' closes nothing [LT0202]\n"
        "  (f x))\n       ^\n"
        "  hint: take it out, or open the list it is meant to close\n");
}

TEST_CASE("bad: numbers and names") {
  CHECK(error_of("(f 12abc x-1 9223372036854775808 1e999)") ==
        "<test>:1:4: error: '12abc' is not a number [LT0203]\n"
        "  (f 12abc x-1 9223372036854775808 1e999)\n     ^~~~~\n"
        "  hint: an integer is digits, a float has a point or an exponent: 12, -3.5, 1e-3\n"
        "<test>:1:10: error: 'x-1' is neither a number nor a name [LT0203]\n"
        "  (f 12abc x-1 9223372036854775808 1e999)\n           ^~~\n"
        "  hint: a name is letters, digits and _, joined by dots: x1, encoder.leaf.weight\n"
        "<test>:1:14: error: the integer 9223372036854775808 does not fit in 64 bits [LT0204]\n"
        "  (f 12abc x-1 9223372036854775808 1e999)\n               ^~~~~~~~~~~~~~~~~~~\n"
        "  hint: write it as a float, or keep it between -2**63 and 2**63 - 1\n"
        "<test>:1:34: error: the float does not fit in 64 bits [LT0204]\n"
        "  (f 12abc x-1 9223372036854775808 1e999)\n                                   ^~~~~\n"
        "  hint: write inf if infinity is meant\n");
}

TEST_CASE("bad: strings") {
  CHECK(error_of("(f \"abc\n \"\\q\\x4\")").starts_with(
      "<test>:1:4: error: this string is not closed before the end of its line [LT0205]\n"
      "  (f \"abc\n     ^\n"
      "  hint: close it with \"; a line feed inside a string is written \\n\n"
      "<test>:2:3: error: this backslash opens no escape [LT0206]\n"
      "  \"\\q\\x4\")\n    ^\n") == false);  // the line is shown as it stands, with its blank
  CHECK(error_of("\"\\q\"") ==
        "<test>:1:2: error: this backslash opens no escape [LT0206]\n"
        "  \"\\q\"\n   ^\n"
        "  hint: the escapes are \\\" \\\\ \\n \\t \\r and \\xHH, H a hexadecimal digit\n");
  CHECK(error_of("\"a\xFF\"").starts_with(
      "<test>:1:3: error: the byte 0xFF cannot stand in a string as it is [LT0207]\n"));
}

TEST_CASE("bad: characters and keywords") {
  CHECK(error_of("(f λ :)") ==
        "<test>:1:4: error: the character 'λ' means nothing outside a string [LT0207]\n"
        "  (f λ :)\n     ^\n"
        "  hint: names are written with the letters of ASCII\n"
        "<test>:1:6: error: ':' is not a keyword [LT0209]\n"
        "  (f λ :)\n       ^\n"
        "  hint: a keyword is a colon and a name, as in :axis\n");
}

TEST_CASE("bad: errors past the twentieth are not reported") {
  try {
    read(repeated(") ", 1000), "<test>");
    FAIL("read it");
  } catch (const Failure& failure) {
    CHECK(failure.diagnostics.size() == 20);
  }
}
