// What a review found, beside the board: how well each player played, and what is to be said of the move looked at.

import { html } from "./elements.js";
import { capital, commas, percentFine, say } from "./say.js";
import { Seat, certain, seat } from "./sentences.js";

// Moves of a better line that are shown.
export const LINE = 6;

// Faults as the list of moves marks them, how many there are in reviews, and the key of what they are called.
export const FAULTS = {
  inaccuracy: { mark: "?!", words: "fault.inaccuracy", many: "inaccuracies" },
  mistake: { mark: "?", words: "fault.mistake", many: "mistakes" },
  blunder: { mark: "??", words: "fault.blunder", many: "blunders" },
};

const percent = (accuracy) => (accuracy === null ? "–" : percentFine(accuracy / 100));

// A table of how well each player played; without a review, with room for it.
const accounts = (players) => [
  html(
    "thead",
    {},
    html(
      "tr",
      {},
      html("th", { scope: "col" }, say("review.player")),
      html("th", { scope: "col" }, say("review.accuracy")),
      ...Object.values(FAULTS).map(({ mark, many }) => {
        const name = say(`faults.${many}`);
        return html("th", { scope: "col" }, html("span", { class: "word" }, `${capital(name)} `), html("b", {}, mark));
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
        html("th", { scope: "row" }, Seat(player.player)),
        html("td", {}, player.accuracy === undefined ? "" : percent(player.accuracy)),
        ...Object.values(FAULTS).map(({ many }) => html("td", {}, String(player[many] ?? ""))),
      ),
    ),
  ),
];

// What is to be said of the move to a position.
const remark = (position, reviewed) => {
  const { move, fault, best, line, proven_before: before, proven_after: after, player } = reviewed;
  const beyond = line.slice(1, LINE).join(" ");
  const better = beyond ? say("review.best.line", { best, line: beyond }) : say("review.best", { best });
  const words = [];
  if (fault) words.push(say("review.is.fault", { move, fault: say(FAULTS[fault].words) }), better);
  else if (move === best) words.push(say("review.is.best", { move }));
  else words.push(say("review.is.good", { move }), better);
  if (before) words.push(say("review.was.certain", { player: seat(player), result: certain(before) }));
  if (after && position.state.to_move) words.push(say("review.now.certain", { player: seat(position.state.to_move), result: certain(after) }));
  return words.join(" ");
};

// The whole review in a sentence, for those who listen.
export const summary = ({ players }) =>
  players
    .map((player) => {
      const faults = commas(Object.values(FAULTS).map(({ many }) => say(`count.${many}`, { n: player[many] })));
      return say("review.summary", { player: seat(player.player), accuracy: percent(player.accuracy), faults });
    })
    .join(" ");

export const showReview = (find, session, reviewer) => {
  const { progress, review } = reviewer;
  find("reviewing").hidden = !progress;
  if (progress) {
    find("review-progress").max = progress.of;
    find("review-progress").value = progress.done;
    find("review-count").textContent = say("review.progress", { n: progress.done, of: progress.of });
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
      ? say("review.not.in.game")
      : say("review.visits", { n: review.visits });
};
