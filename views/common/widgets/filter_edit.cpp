#include "views/common/widgets/filter_edit.h"

#include "views/common/theme/icons.h"

#include <QLineEdit>

namespace views {

void makeFilter(QLineEdit& edit, const QString& name, const QString& iconName) {
    edit.setPlaceholderText(name);
    edit.setAccessibleName(name);
    edit.setClearButtonEnabled(true);
    edit.addAction(icon(&edit, iconName, Role::Text3), QLineEdit::LeadingPosition);
}

} // namespace views
