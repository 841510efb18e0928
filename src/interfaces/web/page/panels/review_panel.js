// Shows a review beside the board: how well each player played, and the verdict on the move looked at.

import { html } from "../board_ui/elements.js";
import { capital, commas, counted, percentFine } from "../board_ui/text.js";
import { certain } from "../text/sentences.js";

// Moves of a better line that are shown.
export const LINE = 6;

// Faults as the list of moves marks them, how many there are in reviews, and what they are called.
export const FAULTS = {
  inaccuracy: { mark: "?!", words: "an inaccuracy", many: "inaccuracies" },
  mistake: { mark: "?", words: "a mistake", many: "mistakes" },
  blunder: { mark: "??", words: "a blunder", many: "blunders" },
};

const accuracyText = (accuracy) => (accuracy === null ? "–" : percentFine(accuracy / 100));

// A table of how well each player played; without a review, with room for it.
const accounts = (players) => [
  html(
    "thead",
    {},
    html(
      "tr",
      {},
      html("th", { scope: "col" }, "Player"),
      html("th", { scope: "col" }, "Accuracy"),
      ...Object.values(FAULTS).map(({ mark, many }) => {
        return html("th", { scope: "col" }, html("span", { class: "word" }, `${capital(many)} `), html("b", {}, mark));
      }),
    ),
  ),
  html(
    "tbody",
    {},
    ...players.map((player) =>
      html(
        "tr",
        {},
        html("th", { scope: "row" }, capital(player.player)),
        html("td", {}, player.accuracy === undefined ? "" : accuracyText(player.accuracy)),
        ...Object.values(FAULTS).map(({ many }) => html("td", {}, String(player[many] ?? ""))),
      ),
    ),
  ),
];

// Returns the verdict on the move to a position.
const remark = (position, reviewed) => {
  const { move, fault, best, line, proven_before: before, proven_after: after, player } = reviewed;
  const beyond = line.slice(1, LINE).join(" ");
  const better = beyond ? `Best was ${best}, then ${beyond}.` : `Best was ${best}.`;
  const words = [];
  if (fault) words.push(`${move} is ${FAULTS[fault].words}.`, better);
  else if (move === best) words.push(`${move} is the best move.`);
  else words.push(`${move} is good.`, better);
  if (before) words.push(`It was certain that ${player} ${certain(before)}.`);
  if (after && position.state.to_move) words.push(`Now it is certain that ${position.state.to_move} ${certain(after)}.`);
  return words.join(" ");
};

// The whole review in a sentence, for those who listen.
export const summary = ({ players }) =>
  players
    .map((player) => {
      const faults = commas(Object.entries(FAULTS).map(([one, { many }]) => counted(player[many], one, many)));
      return `${capital(player.player)}: accuracy ${accuracyText(player.accuracy)}, ${faults}.`;
    })
    .join(" ");

export const showReview = (find, session, reviewer) => {
  const { progress, review } = reviewer;
  find("reviewing").hidden = !progress;
  if (progress) {
    find("review-progress").max = progress.of;
    find("review-progress").value = progress.done;
    find("review-count").textContent = `${progress.done} of ${progress.of}`;
  }
  find("review").hidden = find("accounts").hidden = !review && !progress;
  find("reviewed").hidden = !review;
  const players = review?.players ?? session.players.map((player) => ({ player }));
  if (find("accounts").players !== players) find("accounts").replaceChildren(...accounts(players));
  find("accounts").players = players;
  if (!review) return;
  find("reviewed").dataset.visits = review.visits;
  find("next-mistake").disabled = !reviewer.next();
  find("previous-mistake").disabled = !reviewer.previous();
  const reviewed = reviewer.of(session.current);
  find("try-again").disabled = !reviewed?.fault || session.replying;
  find("remark").textContent = reviewed
    ? remark(session.current, reviewed)
    : session.current.parent
      ? "This move is not part of the game."
      : `Each position was looked at with ${counted(review.visits, "visit.", "visits.")}`;
};
