// The page is complete without scripts; this adds copying a repro string and opening all findings.
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copy).textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      const range = document.createRange();
      range.selectNodeContents(document.getElementById(button.dataset.copy));
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      button.textContent = "selected";
    }
  });
}
const all = document.getElementById("open-all");
if (all) {
  all.hidden = false;
  all.addEventListener("click", () => {
    const closed = document.querySelectorAll("details.finding:not([open])");
    const open = closed.length > 0;
    for (const d of document.querySelectorAll("details.finding")) d.open = open;
  });
}
