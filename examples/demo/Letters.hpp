// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plotter letters of the demo's pictures: enough for axis labels, without a font library.
#pragma once

namespace demo {

/// Strokes as points of two digits, x (0 to 4) and y (0 to 9): the base line is y = 2, digits reach to 8, small letters
/// to 6, descenders to 0. A space lifts the pen; one point alone is a dot. Unknown characters are blank.
constexpr const char* letter_strokes(char letter)
{
  switch (letter) {
  case '0':
    return "183847433212030718";
  case '1':
    return "071812";
  case '2':
    return "07183847460242";
  case '3':
    return "0848253544433212 1203";
  case '4':
    return "32380444";
  case '5':
    return "4808053544433212 1203";
  case '6':
    return "4738180703123243443515 1504";
  case '7':
    return "084812";
  case '8':
    return "183847463515060718 150403123243443515";
  case '9':
    return "463515060718384743321203";
  case 'a':
    return "4536160503123243 4642";
  case 'b':
    return "0802 0516364543321203";
  case 'c':
    return "4536160503123243";
  case 'd':
    return "4842 4536160503123243";
  case 'e':
    return "044445361605031232";
  case 'f':
    return "38281712 0636";
  case 'g':
    return "4641301001 4536160503123243";
  case 'h':
    return "0802 0516364542";
  case 'i':
    return "0602 08";
  case 'j':
    return "161000 18";
  case 'k':
    return "0802 3604 1442";
  case 'l':
    return "0802";
  case 'm':
    return "0602 05162522 25364542";
  case 'n':
    return "0602 0516364542";
  case 'o':
    return "163645433212030516";
  case 'p':
    return "0600 0516364543321203";
  case 'q':
    return "4640 4536160503123243";
  case 'r':
    return "0602 041636";
  case 's':
    return "45361605143443321203";
  case 't':
    return "18132232 0636";
  case 'u':
    return "0603123243 4642";
  case 'v':
    return "062246";
  case 'w':
    return "0612253246";
  case 'x':
    return "0642 4602";
  case 'y':
    return "0622 46221000";
  case 'z':
    return "06460242";
  case '-':
    return "0535";
  case '+':
    return "0545 2723";
  case '=':
    return "0646 0444";
  case '.':
    return "02";
  case ',':
    return "1201";
  case '/':
    return "0149";
  case '(':
    return "19070311";
  case ')':
    return "09171301";
  default:
    return "";
  }
}

/// From one letter's left edge to the next one's, in the same unit.
constexpr double letter_advance(char letter)
{
  switch (letter) {
  case ' ':
    return 3.5;
  case 'i':
  case 'l':
  case '.':
    return 2;
  case '1':
  case 'j':
  case ',':
  case '(':
  case ')':
    return 3;
  case 'f':
  case 't':
  case 'r':
    return 4.6;
  default:
    return 6;
  }
}

} // namespace demo
