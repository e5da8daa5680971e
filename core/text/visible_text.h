#pragma once

#include <string>
#include <string_view>

namespace core {

/// Text from outside (names in a project, a path, a message of a library) as it may go to a terminal, a label
/// or a cell: one line, in which nothing moves the cursor, starts a control sequence or changes the order of
/// what is read.
///
/// Escaped as `\xNN`: the controls U+0000–U+001F and U+007F, and every byte that is not valid UTF-8. Escaped
/// as `\uNNNN`: the controls U+0080–U+009F, the line and paragraph separators U+2028 and U+2029, the marks
/// that reorder text: U+061C, U+200E, U+200F, U+202A–U+202E, U+2066–U+2069 (Unicode Standard Annex 9,
/// section 2), and U+FFFE and U+FFFF, which XML may not hold. Everything else stays as it is.
[[nodiscard]] std::string visibleText(std::string_view text);

/// The same for text of several lines: line breaks and tabulators stay.
[[nodiscard]] std::string visibleLines(std::string_view text);

/// Whether every byte belongs to a character (Unicode Standard, table 3-7).
[[nodiscard]] bool isUtf8(std::string_view text);

/// A document whose quoted strings may hold such characters (JSON), with those above U+007E as `\uNNNN`:
/// equal in meaning to every reader, and harmless on a terminal. `document` is valid UTF-8.
[[nodiscard]] std::string withEscapedMarks(std::string document);

/// One field of CSV (RFC 4180): visible, quoted where it holds `separator`, a quote or a line break. A text
/// that a spreadsheet would take for a formula (it begins with =, +, - or @ and is no number, with or without
/// a unit) gets an apostrophe before it, as spreadsheets write such texts themselves (OWASP, "CSV
/// injection").
[[nodiscard]] std::string csvField(std::string_view text, char separator = ',');

} // namespace core
