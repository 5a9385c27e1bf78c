/** A Chromium for the tests that need a browser. As root on Debian it is installed where it is missing. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { argv, env, getuid } from "node:process";
import { fileURLToPath } from "node:url";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
];

/** Two tests may ask at once, and apt-get works for one at a time. */
const INSTALL = `flock /tmp/tsukumo-chromium.lock sh -c '
  test -x /usr/bin/chromium && exit
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update && apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends chromium fonts-liberation'`;

/**
 * The browser's path: CHROMIUM_PATH, or where it usually is, or where apt-get has put it now. Undefined where there is none and
 * it cannot be installed.
 * @throws where that is so and CI is set: there a test must not be skipped
 */
export function chromiumPath() {
  const found = installed();
  if (found !== undefined) return found;
  const mayInstall = getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  const told = mayInstall ? spawnSync(INSTALL, { shell: true, encoding: "utf8" }) : undefined;
  const path = installed();
  if (path === undefined && env.CI)
    throw new Error(
      mayInstall
        ? `apt-get could not install Chromium (exit ${told?.status}).\n${told?.stdout}\n${told?.stderr}`
        : "The browser tests need Chromium. Install it, or name it in CHROMIUM_PATH.",
    );
  return path;
}

function installed() {
  return [env.CHROMIUM_PATH, ...PLACES].find((path) => path !== undefined && existsSync(path));
}

if (argv[1] === fileURLToPath(import.meta.url)) console.log(chromiumPath() ?? "There is no Chromium here.");
