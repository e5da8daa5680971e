#pragma once

class QKeyEvent;

namespace views {

/// The key of an event; W, A, S and D by their place on the keyboard, whatever letters are printed there.
[[nodiscard]] int placeOfKey(const QKeyEvent& event);

} // namespace views
