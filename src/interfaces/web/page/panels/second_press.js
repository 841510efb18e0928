// A button that acts at the second press: the first one makes it ask, for a short time.

const ASKS_FOR = 3000;

// `act` is what the second press does. Returns a function that makes the button calm again.
export const atSecondPress = (button, act) => {
  const text = button.querySelector("span");
  const words = text.textContent;
  let timer = null;
  const calm = () => {
    clearTimeout(timer);
    text.textContent = words;
    text.style.minWidth = "";
    button.classList.remove("sure");
  };
  button.addEventListener("click", () => {
    const isSure = button.classList.contains("sure");
    calm();
    if (isSure) return act();
    // A narrower question would move the buttons beside it, now and when the words come back.
    text.style.minWidth = `${text.getBoundingClientRect().width}px`;
    text.textContent = "Sure?";
    button.classList.add("sure");
    timer = setTimeout(calm, ASKS_FOR);
  });
  return calm;
};
