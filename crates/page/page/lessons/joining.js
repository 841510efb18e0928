// Lessons of the games in which stones stay where they are placed, and of those in which some are captured or taken over.

const HEX = [
  {
    size: 5,
    stones: { first: "c1 c2 b4 a5", second: "c3 d2 b5", to_move: "first" },
    text: "You are Black. A chain of your stones from one black side to the other wins. One stone is missing: place it.",
    answers: ["b3"],
    wins: true,
    right: "The chain is complete, so Black wins. There are no draws in Hex.",
    wrong: "That leaves a gap in the chain. Look for the cell that touches c2 and b4.",
  },
  {
    size: 5,
    stones: { first: "c2 b4", second: "b3 d2 d4", to_move: "first" },
    text: "Two stones with two empty cells between them form a bridge. White has just played into yours, at b3. Keep the stones connected.",
    answers: ["c3"],
    then: "c1 d1 a5 b5",
    right: "White cannot break a bridge: if one cell is taken, you take the other. The same goes for a stone one row from your side.",
    wrong: "Now White plays c3 and your stones are cut off. Take the other cell of the bridge.",
  },
  {
    size: 5,
    stones: { first: "c2 d3 b4", second: "b3 c3 e2", to_move: "first" },
    text: "White connects the white sides, across yours. White threatens to cut through between c3 and e2. Close the gap.",
    answers: ["d2"],
    right: "Every move does two things in Hex: it builds your chain and blocks the other one.",
    wrong: "White plays d2 and gets through. Take that cell yourself.",
  },
  {
    size: 5,
    moves: "c2",
    swap: true,
    text: "You are White, and Black has opened. On your first move you may take Black's stone instead of placing one. c2 is a strong cell, so press Swap.",
    answers: ["swap"],
    right: "The stone is yours, mirrored to your sides: c2 became b3. That is why Black opens with a cell that is neither strong nor weak.",
    wrong: "You may play like that, but then Black keeps the strong stone. Press Swap.",
  },
];

const CACHEX = [
  {
    size: 5,
    stones: { first: "c1 c2 b4 a5", second: "c3 d2 b5", to_move: "first" },
    text: "You are Red. As in Hex, a chain from one red side to the other wins. Complete yours.",
    answers: ["b3"],
    wins: true,
    right: "Red wins.",
    wrong: "That leaves a gap. Look for the cell that touches c2 and b4.",
  },
  {
    size: 5,
    stones: { first: "c1 a5", second: "b2 c2", to_move: "first" },
    text: "Now for captures. Four cells form a diamond: c1, b2, c2 and b3. Blue has one pair of opposite corners, and you have half of the other. Complete it.",
    answers: ["b3"],
    right: "Both blue stones are captured and leave the board.",
    wrong: "No diamond is complete. The corner opposite c1 is b3.",
  },
  {
    size: 5,
    stones: { first: "b3 c3 a5", second: "c2 d1 e4", to_move: "first" },
    text: "Your stones at b3 and c3 touch each other, and Blue is on one corner of their diamond. Blue threatens to capture both. Prevent it.",
    answers: ["b4"],
    right: "With your stone on b4 Blue cannot complete the pair.",
    wrong: "Blue plays b4 and captures b3 and c3. Take that corner first.",
  },
  {
    size: 5,
    moves: "c2",
    swap: true,
    text: "You are Blue, and Red has opened. On your first move you may take Red's stone instead of placing one. Press Swap.",
    answers: ["swap"],
    right: "The stone is yours, mirrored to your sides: c2 became b3.",
    wrong: "You may play like that, but then Red keeps the strong stone. Press Swap.",
  },
];

const Y = [
  {
    size: 5,
    stones: { first: "a3 b3 c4 c5", second: "b2 d4 b4 b5", to_move: "first" },
    text: "You are Black. A chain of your stones that touches all three sides of the triangle wins. One stone is missing: place it.",
    answers: ["c3"],
    wins: true,
    right: "The chain touches all three sides. Both players have this same goal, and there are no draws.",
    wrong: "Your chain does not touch all three sides yet. c3 joins its two parts and lies on a side.",
  },
  {
    size: 4,
    stones: { first: "a4 b4 d4", second: "a3 b3 c3", to_move: "first" },
    text: "A corner lies on two sides at once. Complete the chain from corner to corner.",
    answers: ["c4"],
    wins: true,
    right: "a4 and d4 are corners, so this chain along one side touches all three.",
    wrong: "The gap is between b4 and d4.",
  },
  {
    size: 5,
    stones: { first: "a3 b3 c3 c5", second: "b2 a4 b4 d4", to_move: "first" },
    text: "b3 and c5 have two cells between them: a bridge. White has just played into it, at b4. Keep the stones connected.",
    answers: ["c4"],
    wins: true,
    right: "If one cell of a bridge is taken, you take the other.",
    wrong: "White plays c4 and your stone at c5 is cut off. Take the other cell of the bridge.",
  },
];

const TACK = [
  {
    size: 5,
    moves: "a3 b3 e1 c3",
    text: "You are Black and connect the black sides. Two white stones stand in line beside your stone at a3. Enclose them with a stone at the other end.",
    answers: ["d3"],
    right: "An enclosed line of exactly two or three stones becomes yours. Nothing leaves the board.",
    wrong: "Nothing is enclosed. The line is b3, c3: place a stone at its open end.",
  },
  {
    size: 5,
    moves: "c1 c2 a1 c3 a2 c4",
    text: "Here three white stones stand in line, and c1 is yours. Enclose all three.",
    answers: ["c5"],
    wins: true,
    right: "All three stones are yours, and together they connect your sides: Black wins.",
    wrong: "The line runs from c2 to c4, and your stone at c1 is at one end. Place the other end.",
  },
  {
    size: 5,
    moves: "c3 c2 c4 e1",
    text: "Your own pair c3, c4 is in danger: White has a stone at one end, and the other end is empty. Make the pair safe.",
    answers: ["c5"],
    right: "Now the line ends at the edge, where no white stone can be placed.",
    wrong: "White plays c5 and takes both stones over. Take that cell yourself.",
  },
];

const VEX = [
  {
    size: 5,
    moves: "- c1 e1 c2 e2 b4 d4 a5 d2",
    text: "You are White. A chain of your stones from one white side to the other wins. Complete yours.",
    answers: ["b3", "c3"],
    wins: true,
    right: "White wins. With two cells to choose from, one black stone could not have stopped you.",
    wrong: "That leaves a gap between c2 and b4. Two cells close it.",
  },
  {
    size: 5,
    moves: "",
    text: "Now you are Black. You own one neutral stone, which blocks both players. You may place it before White's first stone, or keep it. Press “Keep the neutral stone”.",
    answers: ["-"],
    right: "Most of the time it is worth more later on, when White needs one particular cell.",
    wrong: "You may place it now, but it is worth more later on. Keep it.",
  },
  {
    size: 5,
    moves: "- c1 e1 c2 e2 b4 d4 a5",
    show: true,
    text: "White can close the chain at b3 or at c3, and one stone cannot block both. You have two: click b3, choose “The neutral stone”, and place a stone of your own on c3.",
    answers: ["n:b3 c3", "n:c3 b3"],
    right: "The neutral stone is used up, and White has to find another way.",
    wrong: "White still gets through. Block both b3 and c3: the neutral stone comes first, your own stone after it.",
  },
];

const CHAMELEON = [
  {
    size: 4,
    moves: "",
    text: "You are Vert and connect the first and last row. Stones are x or o and belong to nobody: each turn you choose which one to place. Click a cell, then choose x or o.",
    answers: ["*"],
    right: "Your opponent, Horz, may continue with either colour too.",
  },
  {
    size: 4,
    moves: "o:c1 x:a2 o:c2 x:d3 o:b4 x:b2",
    text: "A chain of one colour between your sides wins, no matter who placed its stones. The chain of o lacks one stone: click its cell and choose o.",
    answers: ["o:b3", "o:c3"],
    wins: true,
    right: "A chain of o connects the first and last row, so Vert wins.",
    wrong: "The gap is between c2 and b4, and it takes an o.",
  },
  {
    size: 4,
    moves: "o:c1 x:c3 o:c2 x:a2 o:b4",
    text: "Now you are Horz and connect the first and last column. Vert threatens to win with an o on b3. Block it with the other colour.",
    answers: ["x:b3"],
    right: "The x cuts the chain of o, and with c3 it is half of a chain of your own.",
    wrong: "Vert places an o on b3 and wins. Put an x there.",
  },
];

const IMNYSS = [
  {
    size: 4,
    moves: "n:x",
    text: "You are Vert and connect the first and last row, with a chain of x or of o. Your opponent says which colour you must place. Now it is x: place it anywhere.",
    answers: ["*"],
    right: "Now it would be your turn to name a colour for Horz.",
  },
  {
    size: 4,
    moves: "n:x c2",
    text: "After each stone you nominate the colour that your opponent must place next. Nominate o.",
    answers: ["n:o"],
    right: "Horz has to place an o, so your x at c2 stays the only one.",
    wrong: "You may nominate x, but see what happens with o.",
  },
  {
    size: 4,
    moves: "n:x c1 n:o a2 n:x c2 n:o b2 n:x b4 n:o d3",
    text: "You are Horz. Vert's chain of x lacks one stone, between c2 and b4. Which colour may Vert have? Nominate it.",
    answers: ["n:o"],
    right: "Without an x Vert cannot close the gap in this turn.",
    wrong: "With an x Vert closes the gap and wins. Nominate o.",
  },
  {
    size: 4,
    moves: "n:x c1 n:o a2 n:x c2 n:o b2 n:x b4 n:o d3 n:x",
    text: "You are Vert, and Horz has made that mistake: you have an x. Win the game.",
    answers: ["b3", "c3"],
    wins: true,
    right: "The chain of x connects your sides. But placing a stone that joins all four sides loses.",
    wrong: "The gap is between c2 and b4.",
  },
];

const TWELVE_STAR = [
  {
    size: 5,
    moves: "c3",
    text: "You are White. Black opened with one stone; from now on each turn is two stones. The two must not end up in one group. Place both.",
    answers: ["* *"],
    right: "After your first stone the cells around it were crossed out: there the second would have joined its group.",
  },
  {
    size: 5,
    moves: "c1 e1 c4 c2 e5",
    text: "You are White again, with stones at e1 and c4. Place one on d4: it joins the group of c4, so your second stone may not touch that group either.",
    answers: ["d4 *"],
    right: "The whole group counts, not only the stone that you placed.",
    wrong: "Begin with d4, and see which cells are crossed out for the second stone.",
  },
  {
    size: 5,
    moves: "c1 e1 d4 c2 b4 e3 a1 a5 e5 b3 d2",
    text: "You are Black. White has played into your bridge at b3, with one of two stones. Complete your chain.",
    answers: ["c3"],
    wins: true,
    right: "The two cells of a bridge touch, so White could not take both in one turn. A chain wins at once, even with the first stone.",
    wrong: "The gap is between c2 and b4, and one cell is left.",
  },
];

export const JOINING = { hex: HEX, cachex: CACHEX, y: Y, tack: TACK, vex: VEX, chameleon: CHAMELEON, imnyss: IMNYSS, "12star": TWELVE_STAR };
