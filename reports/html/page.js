// The page is complete without scripts; this adds copying a command and opening all findings.
for (const button of document.querySelectorAll("button[data-copy]")) {
  const label = button.firstChild;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
      label.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(source);
      label.textContent = "Selected";
    }
  });
}
const all = document.getElementById("open-all");
if (all) {
  all.hidden = false;
  all.addEventListener("click", () => {
    const findings = [...document.querySelectorAll("details.finding")];
    const open = findings.some((d) => !d.open);
    for (const d of findings) d.open = open;
  });
}
