#pragma once

#include <QWidget>

namespace tests {

/// Every component of views/common on one page: what the theme looks like as a whole.
class ComponentBoard final : public QWidget {
    Q_OBJECT

public:
    explicit ComponentBoard(QWidget* parent = nullptr);
};

/// Saves a picture of the widget as `name`.png into the folder of the environment variable
/// IPU_WORKBENCH_PICTURES, where it is set: for looking at what a test draws.
void keepPicture(QWidget& widget, const QString& name);

} // namespace tests
