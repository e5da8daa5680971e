#pragma once

class QComboBox;
class QString;

namespace views {

/// A name for who listens. Of a box of choices Qt tells on Linux what is chosen in place of its name, and the
/// name by a label of it alone; where no label stands beside the box, this is one that is heard only.
void nameBox(QComboBox& box, const QString& name);

} // namespace views
