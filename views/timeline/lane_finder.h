#pragma once

#include <QFrame>
#include <QStringList>

class QLineEdit;
class QListWidget;

namespace views {

/// A field that finds a lane by some letters of its name; Enter chooses, Escape closes.
class LaneFinder final : public QFrame {
    Q_OBJECT

public:
    LaneFinder(const QStringList& names, QWidget* parent);

    void openAt(const QPoint& global);

signals:
    void chosen(int index);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& pattern);
    void accept();

    QStringList m_names;
    QLineEdit* m_field;
    QListWidget* m_list;
};

} // namespace views
