"""What each kind of guard finds and what it leaves alone, alone and among all others."""

import re
import string
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.guards import Applied, Rules, Screen
from gateway.guards.kinds import GUARDS, national
from gateway.guards.kinds.base import OptionError
from gateway.guards.kinds.pii import KINDS, is_card, is_iban
from gateway.guards.kinds.secrets import ISSUED, MIN_ENTROPY, entropy, is_random
from tests.counts import few_or_all

PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn\nab==\n-----END RSA PRIVATE KEY-----"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N"
ALL_KINDS = (*KINDS, *national.KINDS)
FOUND = {
    "email": ["ann@example.org", "a.b+c@mail.example.co.uk", "x_y%z@a-b.io"],
    "card": ["4111 1111 1111 1111", "378282246310005", "5555-5555-5555-4444", "4222222222222", "501800000009"],
    "iban": ["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432", "NO9386011117947", "gb82west12345698765432"],
    "ipv4": ["10.1.2.3", "255.255.255.255"],
    "ipv6": ["2001:db8::1", "fe80::1", "1:2:3:4:5:6:7:8"],
    "url": ["https://example.org/a?b=c#d", "HTTP://localhost:80", "ftp://x"],
    "phone": ["+49 30 901820", "+1 (212) 555-0123", "+33 6 12 34 56 78"],
    "aws": ["AKIAIOSFODNN7EXAMPLE", "ASIAIOSFODNN7EXAMPLE", "ABIAIOSFODNN7EXAMPLE"],
    "github": ["ghp_" + "a1" * 18, "github_pat_" + "a" * 22 + "_" + "b" * 59],
    "slack": ["xoxb-123456789012-abcdef", "xapp-1-A0123456789", "xoxe.xoxp-1-Ab0Cd1Ef2Gh3"],
    "stripe": ["sk_" + "live_" + "a1" * 12, "rk_test_" + "a1" * 12],
    "google": ["AIza" + "Sy" * 17 + "a"],
    "jwt": [JWT],
    "azure": ["8Q~" + "aB3.dE5~" * 4],
    "private_key": [PEM, PEM.replace("\n", "\\n")],
    "token": [
        "glpat-aB3dE5gH7jK9mN1pQ2rS",
        "hf_" + "aBcDe" * 6 + "fGhI",
        "sk-ant-api03-" + "aB3_" * 12,
        "npm_" + "a1b2" * 9,
    ],
    "header": ["Authorization: Bearer x7Fq9Lm2Vt8Zp4Rk", "authorization: Basic YW5uOmZvcmdldG1lbm90cw=="],
    "login": ["https://ann:forget-me-not@", "postgresql://:x7Fq9Lm2@"],
    "assignment": ['password = "x7Fq9Lm2Vt8Zp4Rk', "API_KEY: 9f8A7x2LmQ0pZr5TnW", "secret=>aB3dE5gH7jK9mN1p"],
    "us_ssn": ["536-90-4399"],
    "uk_nino": ["AB123456C", "ab 12 34 56 d"],
    "de_idnr": ["36574261809", "36 574 261 809"],
    "fr_nir": ["2 95 10 99 126 111 93", "253072B07300470"],
    "es_dni": ["54362315K", "54362315-K"],
    "es_nie": ["X2482300W", "x-2482300w"],
    "it_cf": ["RCCMNL83S18D969H", "rccmnl83s18d969h"],
    "nl_bsn": ["111222333", "1112.22.333"],
}
"""Texts that are replaced as a whole."""

LEFT_ALONE = {
    "email": ["ann@", "@example.org", "ann@example", "a@b@c", "price @ 3.50 each"],
    "card": ["4111 1111 1111 1112", "0000 0000 0000 0000", "12345", "x4111111111111111", "41111111111111111111111",
             "401800000002", "0111111111113"],
    "iban": ["DE89 3704 0044 0532 0130 01", "DE89", "XDE89370400440532013000", "de89 3704 0044 0532 0130 00"],
    "ipv4": ["256.1.1.1", "1.2.3", "1.2.3.4x", "v1.2.3.4"],
    "ipv6": ["12:30:45", "::", "std::vector", "a::b::c", "1:2:3:4:5:6:7:8:9"],
    "url": ["example.org", "xhttp://", "https:/x", "http://"],
    "phone": ["030 901820", "+49 30", "+999 123 456 789", "1 + 1234567"],
    "aws": ["AKIAIOSFODNN7EXAMPL", "XAKIAIOSFODNN7EXAMPLE", "akiaiosfodnn7example"],
    "github": ["ghp_short", "github_pat_x"],
    "slack": ["xoxb-short", "xoxz-123456789012-abcdef"],
    "stripe": ["pk_live_" + "a1" * 12, "sk_live_x"],
    "google": ["AIzaSy"],
    "jwt": ["eyJhbGciOiJIUzI1NiJ9", "eyJ.eyJ.x"],
    "azure": ["8Q~" + "aB3.dE5~" * 3, "8Q~" + "aB3.dE5~" * 5],
    "private_key": ["-----BEGIN PUBLIC KEY-----", "BEGIN RSA PRIVATE KEY"],
    "token": ["glpat-aB3dE5gH7jK", "hf_requiredCharacteristicTypesForDisplayMetadata", "xhf_" + "aBcDe" * 6 + "fGhI"],
    "header": ["Authorization: Bearer YOUR_TOKEN_GOES_HERE", "Authorization: Bearer $TOKEN", "authorization: required"],
    "login": ["https://ann:password@x", "https://x:8080/a@b", "docker run -u 1000:1000", "--user=$NAME:$WORD",
              "-u ann:staff"],
    "assignment": ["password = hunter2", "token: aaaaaaaaaaaaaaaaaaaa", "secret = correcthorsebatterystaple",
                   "token_count: 1234567", "tokenizer = x7Fq9Lm2Vt8Zp4Rk", "author: x7Fq9Lm2Vt8Zp4Rk",
                   "secret = X25519.secret_length", "SECRET_NAME = GPT4-API-KEY-2024",
                   "tokens = self.img2bpe_tokens.b64decode"],
    "us_ssn": ["000-90-4399", "536904399", "1536-90-4399", "666-00-0000"],
    "uk_nino": ["GB123456A", "AB123456E", "AB12345C", "QQ123456A"],
    "de_idnr": ["36574261890", "06574261809", "365742618090"],
    "fr_nir": ["295109912611192", "253072C07300443"],
    "es_dni": ["54362315Z", "5436231K"],
    "es_nie": ["X2482300A", "W2482300W"],
    "it_cf": ["RCCMNL83S18D969A", "RCCMNL83S18D969"],
    "nl_bsn": ["111252333", "1112223330"],
}  # fmt: skip
OWNERS = {kind: "pii" if kind in ALL_KINDS else "secrets" for kind in FOUND}


def rules_of(guard, **options):
    return Rules(
        [Applied(rule=rule, action="redact", replacement=f"[{rule.kind}]") for rule in GUARDS[guard].rules(options)]
    )


def screened(rules, text):
    screen = Screen(rules)
    return "".join(map(screen.feed, text)) + screen.flush()


@pytest.mark.parametrize("kind", FOUND)
def test_a_kind_finds_what_it_is_for_and_no_more(kind):
    rules = rules_of(OWNERS[kind], kinds=[kind])
    for text in FOUND[kind]:
        for before, after in (("", ""), ("see ", " now"), ("(", ")."), ("\n", "\n")):
            if kind == "url" and after == ").":
                continue  # both may stand in an address
            assert screened(rules, before + text + after) == f"{before}[{kind}]{after}"
    for text in LEFT_ALONE[kind]:
        assert screened(rules, f"see {text} now") == f"see {text} now"


@pytest.mark.parametrize("guard", ["pii", "secrets"])
def test_nothing_that_one_kind_finds_is_left_by_all_together(guard):
    rules = rules_of(guard)
    for kind, texts in FOUND.items():
        if OWNERS[kind] == guard and kind not in national.KINDS:
            for text in texts:
                assert screened(rules, f"see {text} now") == f"see [{kind}] now"


def test_a_key_without_its_end_is_covered_as_far_as_it_came():
    rules = rules_of("secrets", kinds=["private_key"])
    assert screened(rules, PEM[:50]) == "[private_key]"
    assert screened(rules, f"{PEM} and on it goes, with words.") == "[private_key] and on it goes, with words."


def test_numbers_without_a_country_are_phones_where_the_region_is_said():
    rules = rules_of("pii", kinds=["phone"], region="DE")
    assert screened(rules, "call 030 901820 or (030) 901820 or +49 30 901820") == "call [phone] or [phone] or [phone]"
    assert screened(rules, "in 2024 there were 12 345 678 of 10.000") == "in 2024 there were 12 345 678 of 10.000"


@pytest.mark.parametrize(
    "written",
    [
        "+1 984 182 0190", "+46 (0)8 928 571 38", "001-518-640-0854", "905-674-3793", "(579)888-3058", "(02) 645-791",
        "07700 063966", "0378/3549890", "06 12 34 56 78", "03.93.92.16.85", "99 577450", "9498777106",
        "21 253 109 8211", "345-899-3560x4587", "358 0594", "9472 7916", "60-56-85-91",
    ],
)  # fmt: skip
def test_numbers_of_any_region_are_found_by_how_they_are_written(written):
    rules = rules_of("pii", kinds=["phone"], region="any")
    for before, after in (("", ""), ("call ", ", please"), ("Phone: ", "\n"), ("(", ").")):
        assert screened(rules, before + written + after) == f"{before}[phone]{after}"
    assert screened(rules_of("pii", kinds=["phone"]), f"+{written}x") == f"+{written}x"


@pytest.mark.parametrize(
    "other",
    [
        "460-89-9847", "2270-66-1551", "12.04.2023", "2023-04-12", "106.31.73.20", "1.234.567", "38.871638",
        "$1234567890", "370 3911 Fourth Avenue", "12345", "1 2 3 4 5 6 7 8", "20230412", "x9498777106", "$12 345 678",
    ],
)  # fmt: skip
def test_what_else_is_written_in_digits_is_no_number_of_any_region(other):
    assert screened(rules_of("pii", kinds=["phone"], region="any"), f"see {other} now") == f"see {other} now"


VALUE = "x7Fq9Lm2Vt8Zp4Rk"


@pytest.mark.parametrize(
    "form",
    [
        "{}={}", "{} = '{}'", '{} := "{}"', "{} := `{}`", "{} ::= {}", "{} ?= {}", '{} += "{}"', '{} .= "{}"',
        '"{}": "{}"', '\\"{}\\": \\"{}\\"', "{}: {}", "{}: |\n  {}", "{}: >\n  {}", "<{}>{}</x>", "<{}>\n    {}\n</x>",
        '"{}" => "{}"', 'var {} string = "{}"', "{},{},", 'get("{}", "{}")', 'set_{}("{}")', "env['{}'] = '{}'",
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["api_token", "myToken2", "DB_PASSWORD", "client.secret", "access-key"])
def test_values_are_assigned_in_many_ways(form, name):
    rules = rules_of("secrets", kinds=["assignment"])
    found = screened(rules, form.format(name, VALUE))
    assert "[assignment]" in found
    assert VALUE not in found


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (VALUE, True), ("0afae57f3ccfd9d7", True), ("dafa7817-e246-48f3-91a7-e87653d587b8", True),
        ("8372615940283746", True),
        ("-" * 900 + "g1h2i3j4k5", False),  # marks between words may be told apart in many ways
        ("1000000000000000", False), ("837261594028374", False), ("aaaaaaaaaaaaaaaa1", False),
        ("2024-01-31.12-30-59", False),
        ("io.jsonwebtoken-jjwt-0.11.2", False), ("qwertzuiopasdfgh", False), ("self.b64decode.img2bpe", False),
    ],
)  # fmt: skip
def test_random_values_are_more_than_names_and_numbers(value, expected):
    assert is_random(value) == expected


def test_logins_of_commands_are_found_with_their_names():
    rules = rules_of("secrets", kinds=["login"])
    for flag in ("-u ann:x7Fq9Lm2", "--user 'ann:x7Fq9Lm2", "--user=ann:forget-me-not", "-u :forGet", "-u ann:'x7F@q9"):
        assert screened(rules, f'curl {flag}" https://x') == 'curl [login]" https://x'


@pytest.mark.parametrize("num_examples", few_or_all(1, 4))
@pytest.mark.parametrize("issuer", ISSUED)
def test_tokens_of_every_issuer_are_found(issuer, num_examples):
    rules = rules_of("secrets", kinds=["token"])

    @settings(max_examples=num_examples, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.from_regex(ISSUED[issuer], fullmatch=True))
    def find(token):
        for before, after in (("", ""), ('"', '"'), ("\n", "\n")):
            assert screened(rules, before + token + after) == f"{before}[token]{after}"
        assert screened(rules, f"x{token}") != "x[token]"

    find()


@given(st.text("0123456789", min_size=12, max_size=18))
def test_exactly_one_check_digit_makes_a_card(digits):
    assert sum(is_card(digits + last) for last in "0123456789") == (1 if digits.strip("0") else 0)


@given(st.sampled_from(["DE", "GB", "FR"]), st.text(string.ascii_uppercase + string.digits, min_size=11, max_size=30))
@settings(max_examples=50)
def test_check_digits_make_an_account(country, rest):
    check = next(number for number in range(2, 99) if is_iban(f"{country}{number:02}{rest}"))
    assert not is_iban(f"{country}{(check + 1) % 97:02}{rest}")


@pytest.mark.parametrize(("text", "bits"), [("aaaa", 0), ("abab", 1), ("abcd", 2), ("correcthorsebatterystaple", 3.36)])
def test_entropy_is_in_bits_a_character(text, bits):
    assert entropy(text) == pytest.approx(bits, abs=0.01)
    assert bits < MIN_ENTROPY


def test_terms_are_read_as_they_are_written():
    rules = rules_of("terms", terms=["a.b", "Straße", "c++"])
    assert screened(rules, "axb A.B STRAßE c++ c+") == "axb [terms] [terms] [terms] c+"
    rules = rules_of("terms", terms=["Ann"], ignore_case=False, whole_words=True)
    assert screened(rules, "Ann ann Anna DeAnn Ann_ Ann, Ann") == "[terms] ann Anna DeAnn Ann_ [terms], [terms]"


def test_a_pattern_names_what_it_finds():
    rules = rules_of("pattern", pattern=r"[A-Z]{2}-\d+", whole_words=True, name="ticket")
    assert screened(rules, "AB-12, XAB-1 AB-3x") == "[ticket], XAB-1 AB-3x"


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(["a", "<", ".", "b1", "-", " ", "https://", "http", "://", "x"]), max_size=12))
def test_the_automata_find_what_python_finds(parts):
    text = "".join(parts)
    rules = rules_of("pii", kinds=["url"])
    expected = re.compile(r"(?<!\w)https?://[^\s<>\"'`{}|\\^]+").sub("[url]", text)
    assert screened(rules, text) == expected


def test_numbers_of_states_are_looked_for_where_they_are_named(monkeypatch):
    assert {rule.kind for rule in GUARDS["pii"].rules({})} == set(KINDS)
    monkeypatch.setitem(sys.modules, "stdnum.us.ssn", None)
    national._validity.cache_clear()
    with pytest.raises(OptionError, match=r"needs python-stdnum \(portcullis\[national-ids\]\)"):
        GUARDS["pii"].rules({"kinds": ["us_ssn"]})
    assert GUARDS["pii"].rules({"kinds": ["uk_nino"]})
