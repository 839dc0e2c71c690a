"""What people do in the playground, in Chromium; skipped where it, its driver or selenium is not installed.

axe-core checks what is seen where `AXE_CORE` names its `axe.min.js`. `SCREENSHOTS=gateway/docs/images` renews the
pictures of the docs.
"""

import json
import os
import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from served_process import Served
from serving import Live, config_for, serving
from tiny_model import write_tiny_model

pytest.importorskip("selenium")
from chromium import Page, start
from selenium.webdriver.common.keys import Keys

from gateway.config import Config, EngineConfig, LimitsConfig, ServerConfig

BINARY, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(not (BINARY and DRIVER), reason="chromium or its driver is not installed")
LONGEST_FRAME_MS = 200
README = Path(__file__).parents[3] / "README.md"
AXE = Path(os.environ.get("AXE_CORE", "axe.min.js"))

INVOICE = "Extract the data: invoice KX-4711 came in over a total of 1290.5 in CHF."
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
POLICIES = """
default = "open"
allowed = ["careful", "open"]
[policies.open]
[policies.careful]
input = [{ guard = "secrets", action = "block" }]
output = [{ guard = "pattern", pattern = "K[A-Z]", action = "block", name = "code" }]
"""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    driver = start(BINARY or "", DRIVER or "")
    yield Page(driver)
    driver.quit()


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    path = tmp_path_factory.mktemp("policies") / "policies.toml"
    path.write_text(POLICIES)
    with serving(Config(server=ServerConfig(port=0, policies=str(path)), engine=EngineConfig(num_threads=1))) as live:
        yield live


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A model without sense, and room for long answers."""
    folder = write_tiny_model(tmp_path_factory.mktemp("long"), max_positions=8192)
    with serving(config_for(folder, limits=LimitsConfig(loop_stop_tokens=0))) as live:
        yield live


def test_readme_leads_to_a_constrained_answer(page):
    """What README's first screen says, in its order: serve, open the address, click."""
    screen = "\n".join(README.read_text(encoding="utf-8").splitlines()[:45])
    command = re.search(r"&& \.venv/bin/portcullis (serve.*)$", screen, re.MULTILINE)
    address, button = (
        re.search(r"`(http://127\.0\.0\.1:8000)`", screen),
        re.search(r"In the playground, `(.+?)`", screen),
    )
    expected = re.search(r"^```json\n(.*)\n```$", screen, re.MULTILINE)
    assert None not in (command, address, button, expected)
    server = Served(None, False, flags=[*command[1].split(), "--port", "0"])
    try:
        page.open(server.url)  # instead of README's port, which may be taken
        page.click(button[1])
        page.wait_for_answer()
        assert json.loads(page.answer) == json.loads(expected[1])
        assert page.problems() == []
    finally:
        server.end()


def test_chat_of_several_turns_stopped_by_escape(page, bundled):
    page.open(bundled.url).watch()
    page.choose("pg-constraint select", "regex")
    page.ask("Hello")
    page.ask("And again")
    assert [each["role"] for each in page.sent()[1]["messages"]] == ["user", "assistant", "user"]
    assert page.answer
    page.click("Code")
    assert "curl http://127.0.0.1" in page.text("#code-panel")
    page.press(Keys.ARROW_RIGHT)
    assert "from openai import OpenAI" in page.text("#code-panel")
    page.press(Keys.ESCAPE)
    page.click("New")
    assert page.find(".welcome").is_displayed()
    assert page.problems() == []


def test_escape_stops_an_answer(page, long):
    page.open(long.url)
    page.constrain("regex", "[A-Z]{4000}")
    page.fill("input[id^=max_tokens]", "7000")
    page.find("#message").send_keys("Go", Keys.ENTER)
    page.until(lambda: len(page.all(".flow .token")) > 20)
    page.press(Keys.ESCAPE)
    page.wait_for_answer()
    assert "Stopped." in page.text("pg-answer .rest")
    long.wait_until_idle()
    assert page.problems() == []


def test_schema_error_is_marked_at_its_place_and_its_report_shown_once_mended(page, bundled):
    page.open(bundled.url)
    text = json.dumps(SCHEMA, indent=2)
    page.constrain("schema", text.replace('"string"', '"strin"'))
    fault = page.until(lambda: page.all("pg-constraint .faults button"))[0]
    assert fault.text.startswith("5:7 type is one of null, boolean")
    assert page.text("pg-constraint .ground mark") == '"type": "strin"'
    fault.click()
    area = page.find("pg-constraint textarea")
    assert (
        page.run("return arguments[0].value.slice(arguments[0].selectionStart, arguments[0].selectionEnd)", area)
        == '"type": "strin"'
    )
    page.fill("pg-constraint textarea", text[:-1])
    page.until(lambda: "not valid JSON" in page.text("pg-constraint .faults"))
    page.fill("pg-constraint textarea", text)
    page.until(lambda: "Enforced: 5 keywords, all by mask" in page.text(".report"))
    assert page.text(".report pre") == '{"city":""}'
    assert "/properties/city/type" in page.text(".report table")
    page.constrain("gbnf", 'root ::= "a" x\n')
    page.until(lambda: "rule 'x' is not defined" in page.text("pg-constraint .faults"))
    assert page.text("pg-constraint .ground mark") == "x"
    assert page.problems() == []


def test_constrained_answer_with_verdict_confidence_and_alternatives(page, bundled):
    page.open(bundled.url)
    page.click("Extract a record")
    page.wait_for_answer()
    assert json.loads(page.answer) == {"number": "KX-4711", "total": 1290.5, "currency": "CHF"}
    assert "✓ schema passed by jsonschema-rs" in page.text("pg-answer .foot")
    assert "/currency" in page.text("pg-answer .confidence")
    assert page.all(".flow .forced")
    page.all(".flow .token")[0].click()
    removed = page.until(lambda: page.all(".alternatives button:has(s)"))
    assert not removed[0].is_enabled()
    assert "of the probability was removed by the constraint" in page.text(".removed-mass")
    page.press(Keys.ESCAPE)
    page.until(lambda: not page.all(".alternatives"))
    assert page.run("return document.activeElement.dataset.index") == "0"
    assert page.problems() == []


def test_alternative_is_chosen_and_the_answer_goes_on_from_there(page, bundled):
    page.open(bundled.url).watch()
    page.constrain("regex", "(apple|banana|cherry) and (kiwi|lemon|melon)")
    page.ask("Name two fruits.")
    first = page.answer
    page.all(".flow .token")[0].click()
    allowed = page.until(lambda: [each for each in page.all(".alternatives button") if each.is_enabled()])
    next(each for each in allowed if each.get_attribute("class") != "chosen").click()
    page.until(lambda: len(page.sent()) == 2)
    page.wait_for_answer()
    second = page.answer
    begun = page.sent()[1]["answer_prefix"]
    assert page.find("pg-answer:last-child .flow .given").text == begun
    assert begun
    assert not first.startswith(begun)
    assert second.startswith(begun)
    assert re.fullmatch("(apple|banana|cherry) and (kiwi|lemon|melon)", second)
    assert page.problems() == []


def test_tool_call_and_its_result(page, bundled):
    page.open(bundled.url).watch()
    page.click("Call a tool")
    page.wait_for_answer()
    assert page.text("pg-answer .call figcaption") == "Tool call get_weather"
    assert json.loads(page.text("pg-answer .call pre")) == {"city": "Oslo"}
    page.find(".results textarea").send_keys('{"degrees": 21}')
    page.click("Send the result")
    page.until(lambda: len(page.all("pg-answer .foot")) == 2)
    call, result = page.sent()[-1]["messages"][-2:]
    assert (result["role"], result["content"]) == ("tool", '{"degrees": 21}')
    assert result["tool_call_id"] == call["tool_calls"][0]["id"]
    assert page.problems() == []


def test_policy_blocks_a_prompt_and_an_answer(page, bundled):
    page.open(bundled.url)
    page.choose("select[aria-label=Policy]", "careful")
    page.click("Extract a record")
    page.wait_for_answer()
    page.choose("select[aria-label=Policy]", "careful")
    page.ask("My key is AKIAIOSFODNN7EXAMPLA, use it.")
    assert page.find("pg-answer:last-child .failure").text.startswith("The policy blocked this.")
    page.click("New")
    page.constrain("none", "")
    page.fill("pg-settings textarea[aria-label=Constraint]", "")
    page.constrain("choice", "KX\nKY")
    page.ask("KX or KY?")
    assert "Policy: code (pattern) blocked in the answer" in page.text("pg-answer .rest")
    assert page.problems(network=False) == []


def test_link_holds_the_request_and_no_key(page, bundled):
    page.open(bundled.url)
    page.click("API key")
    page.find("#key").send_keys("secret-key", Keys.ENTER)
    page.click("Pick a label")
    page.wait_for_answer()
    answer = page.answer
    page.click("Copy link")
    link = page.until(lambda: "#request=" in page.driver.current_url and page.driver.current_url)
    page.run("sessionStorage.clear()")
    page.open(link)
    assert page.answer == answer
    assert page.find("pg-constraint textarea").get_attribute("value") == "positive\nneutral\nnegative"
    assert "secret-key" not in page.run("return JSON.stringify(document.querySelector('pg-chat').session.saved())")
    page.open(f"{bundled.url}/#request=%%%")
    page.until(lambda: "The link cannot be read" in page.text("#announcement"))
    assert page.problems() == []


def test_phone_width(page, bundled):
    page.open(bundled.url, 360, 740)
    page.click("Extract a record")
    page.wait_for_answer()
    page.click("Settings")
    assert page.find("pg-constraint textarea").is_displayed()
    page.click("Settings")
    page.all(".flow .token")[0].click()
    page.until(lambda: page.all(".alternatives"))
    page.press(Keys.ESCAPE)
    for selector in ("button.view[data-view=server]", "button.view[data-view=chat]"):
        page.find(selector).click()
        assert page.run("return document.documentElement.scrollWidth") == 360
    assert page.problems() == []


def test_keyboard_alone(page, bundled):
    page.open(bundled.url)

    def tab_to(selector: str) -> None:
        for _ in range(60):
            page.press(Keys.TAB)
            if page.run("return document.activeElement.matches(arguments[0])", selector):
                # What has the focus is seen to have it.
                assert page.run("return getComputedStyle(document.activeElement).outlineStyle") != "none"
                return
        raise AssertionError(f"{selector} is not reached")

    tab_to(".skip")
    page.press(Keys.ENTER)
    assert page.run("return document.activeElement.id") == "message"
    page.press(Keys.SHIFT, Keys.TAB, Keys.NULL)
    page.driver.execute_script("document.activeElement.blur()")
    tab_to(".welcome button")
    page.press(Keys.ENTER)
    page.wait_for_answer()
    tab_to(".flow .token")
    page.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
    page.until(lambda: page.all(".alternatives"))
    assert page.run("return document.activeElement.closest('.alternatives') !== null")
    page.press(Keys.ESCAPE)
    assert page.run("return document.activeElement.dataset.index") == "2"
    for selector in (".actions button", "#message", ".composer button.primary"):
        tab_to(selector)
    assert page.problems() == []


def test_server_restart(page, tmp_path_factory):
    folder = write_tiny_model(tmp_path_factory.mktemp("restart"))
    first = Served(folder, is_fake=True)
    try:
        page.open(first.url)
        first.end()
        page.find("#message").send_keys("Hello", Keys.ENTER)
        page.wait_for_answer()
        assert "The server cannot be reached." in page.text(".failure")
    finally:
        first.end()
    second = Served(folder, is_fake=True, port=int(first.url.rsplit(":", 1)[1]))
    try:
        page.click("Try again")
        page.until(lambda: page.all("pg-answer .foot") and not page.all(".failure"))
        page.until(lambda: page.find(".health").get_attribute("data-state") == "ready")
        assert page.problems(network=False) == []
    finally:
        second.end()


def test_long_answer_stays_smooth(page, long):
    """An answer of 5,000 tokens, drawn as they come: no frame takes so long that typing would be felt."""
    page.open(long.url)
    page.constrain("regex", "[A-Z]{5000}")
    page.fill("input[id^=max_tokens]", "5200")
    page.run("""
        window.longest = 0;
        new PerformanceObserver((list) => {
          for (const each of list.getEntries()) window.longest = Math.max(window.longest, each.duration);
        }).observe({type: 'longtask'});""")
    page.find("#message").send_keys("Go", Keys.ENTER)
    page.wait_for_answer(60)
    assert len(page.all(".flow .token")) >= 4500
    assert page.run("return window.longest") < LONGEST_FRAME_MS
    assert page.problems() == []


def test_state_page_under_load(page, bundled):
    page.open(bundled.url)
    page.find("button.view[data-view=server]").click()
    body = {"messages": [{"role": "user", "content": "Tell me a story."}], "max_tokens": 200, "ignore_eos": True}
    threads = [
        threading.Thread(target=bundled.post, args=("/v1/chat/completions",), kwargs={"json": body}) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    speed = "document.querySelector('.plot strong').textContent"
    page.until(lambda: page.run(f"return Number({speed}.replace(',', '')) > 0"))
    assert page.run("return document.querySelector('.plot .curve').getAttribute('d').length") > 10
    for thread in threads:
        thread.join()
    page.until(
        lambda: page.run("return Number(document.querySelector('.totals dd').textContent.replace(',', '')) >= 6")
    )
    assert page.problems() == []


def test_pictures_of_the_docs(page, bundled, tmp_path):
    folder = Path(os.environ.get("SCREENSHOTS", tmp_path))

    def keep(name: str) -> None:
        page.run("document.activeElement.blur()")
        assert page.driver.save_screenshot(str(folder / f"playground-{name}.png"))

    page.open(bundled.url, 1100, 720)
    page.click("Extract a record")
    page.wait_for_answer()
    page.all(".flow .token")[0].click()
    page.until(lambda: page.all(".alternatives button:has(s)"))
    keep("tokens")
    page.open(bundled.url, 1100, 720, "dark")
    page.constrain("schema", json.dumps(SCHEMA, indent=2).replace('"string"', '"strin"'))
    page.until(lambda: page.all("pg-constraint .faults button"))
    keep("schema")
    page.open(bundled.url, 360, 720)
    page.click("Call a tool")
    page.wait_for_answer()
    keep("phone")
    assert page.problems() == []


@pytest.mark.skipif(not AXE.is_file(), reason="AXE_CORE does not name axe.min.js")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page, bundled, scheme):
    script = AXE.read_text(encoding="utf-8")

    def violations() -> list[str]:
        page.run(script)
        found = page.driver.execute_async_script(
            "const done = arguments[0]; axe.run(document).then((each) => done(each.violations))"
        )
        return [f"{each['id']}: {node['html'][:120]}" for each in found for node in each["nodes"]]

    for width in (1280, 360):
        page.open(bundled.url, width, 800, scheme)
        assert violations() == []
        page.click("Extract a record")
        page.wait_for_answer()
        assert violations() == []
        page.all(".flow .token")[2].click()
        page.until(lambda: page.all(".alternatives"))
        assert violations() == []
        page.press(Keys.ESCAPE)
        page.click("Code")
        assert violations() == []
        page.press(Keys.ESCAPE)
        page.find("button.view[data-view=server]").click()
        assert violations() == []
    assert page.problems() == []
