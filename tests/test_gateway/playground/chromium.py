"""The playground in a real browser: Chromium, driven by selenium."""

from collections.abc import Callable
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

SECONDS = 20


class Page:
    """A tab with the playground of a server."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def open(self, url: str, width: int = 1280, height: int = 800, scheme: str = "light") -> "Page":
        """Load the page anew, at this size and in this colour scheme."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.driver.get("about:blank")
        self.driver.get(url)
        self.driver.get_log("browser")
        self.until(lambda: self.find(".health").get_attribute("data-state") == "ready")
        return self

    def problems(self, *, network: bool = True) -> list[str]:
        """Return what the console shows in red; without `network`, no refused requests."""
        entries = [each for each in self.driver.get_log("browser") if each["level"] in ("SEVERE", "WARNING")]
        return [each["message"] for each in entries if network or each["source"] != "network"]

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def until(self, condition: Callable[[], Any], seconds: float = SECONDS) -> Any:
        """Return what the condition gives once it is true; an element that is not there yet is false."""
        return WebDriverWait(self.driver, seconds, 0.05).until(lambda driver: condition())

    def text(self, selector: str) -> str:
        return str(self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector))

    def click(self, name: str) -> None:
        """Click the button with this text, of those that can be seen."""
        self.until(
            lambda: [each for each in self.all("button, summary") if each.is_displayed() and self._says(each, name)]
        )
        next(each for each in self.all("button, summary") if each.is_displayed() and self._says(each, name)).click()

    def _says(self, element: WebElement, name: str) -> bool:
        return name in (element.text.strip(), element.text.strip().split("\n")[0])

    def press(self, *keys: str) -> None:
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def fill(self, selector: str, text: str) -> None:
        """Put a text into a field, as pasted."""
        script = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))"
        self.run(script, self.find(selector), text)

    def choose(self, selector: str, value: str) -> None:
        script = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change', {bubbles: true}))"
        self.run(script, self.find(selector), value)

    def constrain(self, kind: str, text: str) -> None:
        self.choose("pg-constraint select", kind)
        self.fill("pg-constraint textarea", text)

    def ask(self, text: str) -> None:
        """Send a message and wait for the answer's end."""
        self.find("#message").send_keys(text, Keys.ENTER)
        self.wait_for_answer()

    def wait_for_answer(self, seconds: float = SECONDS) -> None:
        self.until(lambda: self.all("pg-answer .foot") and not self.all(".under-way"), seconds)

    @property
    def answer(self) -> str:
        """The last answer's text."""
        return str(self.run("return [...document.querySelectorAll('pg-answer')].at(-1).answer.content"))

    def sent(self) -> list[dict[str, Any]]:
        """Return the bodies of the chats sent since `watch`."""
        return list(self.run("return window.sentBodies"))

    def watch(self) -> None:
        """Keep the bodies of chats that are sent from now on."""
        self.run("""
            window.sentBodies = [];
            const original = window.fetch;
            window.fetch = (url, options) => {
              if (String(url).endsWith('/v1/chat/completions')) window.sentBodies.push(JSON.parse(options.body));
              return original(url, options);
            };""")


def start(binary: str, driver: str) -> webdriver.Chrome:
    """Start a browser without a window."""
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
