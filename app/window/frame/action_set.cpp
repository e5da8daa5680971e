#include "app/window/frame/action_set.h"

namespace app {

QAction* ActionSet::action(const QString& id) const {
    for (const Entry& entry : m_entries) {
        if (entry.id == id && entry.action != nullptr)
            return entry.action;
    }
    return nullptr;
}

void ActionSet::update() {
    for (const Entry& entry : m_entries) {
        if (entry.action == nullptr)
            continue;
        if (entry.isEnabled)
            entry.action->setEnabled(entry.isEnabled());
        if (entry.isChecked)
            entry.action->setChecked(entry.isChecked());
    }
}

} // namespace app
