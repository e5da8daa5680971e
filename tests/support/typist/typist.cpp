// A person in front of the real program: a plugin of Qt that types into its window and writes down what it is
// asked. It is loaded by the environment (QT_QPA_GENERIC_PLUGINS=typist), the program knows nothing of it.
//
// TYPIST_LOG: file that gets a line for each question. TYPIST_EDITS: set when the layers are to be
// duplicated.

#include <QApplication>
#include <QFile>
#include <QGenericPlugin>
#include <QMessageBox>
#include <QTest>
#include <QTimer>

namespace {

QWidget* canvasOf(const QWidget& window) {
    for (QWidget* child : window.findChildren<QWidget*>())
        if (child->isVisible() && child->focusPolicy() != Qt::NoFocus &&
            QByteArray(child->metaObject()->className()) == "views::CanvasView")
            return child;
    return nullptr;
}

class Typist final : public QObject {
public:
    Typist() {
        constexpr int often = 100;
        m_timer.setInterval(often);
        connect(&m_timer, &QTimer::timeout, this, [this] { look(); });
        m_timer.start();
    }

private:
    void look() {
        // The plugin is made before the application's widgets can be.
        if (qobject_cast<QApplication*>(QCoreApplication::instance()) == nullptr)
            return;
        if (const auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
            note("asked: " + box->text());
            return;
        }
        if (!qEnvironmentVariableIsSet("TYPIST_EDITS") || m_hasTyped)
            return;
        for (QWidget* window : QApplication::topLevelWidgets()) {
            QWidget* canvas = window->isVisible() ? canvasOf(*window) : nullptr;
            if (canvas == nullptr)
                continue;
            window->activateWindow();
            canvas->setFocus();
            QTest::keyClick(canvas, Qt::Key_A, Qt::ControlModifier);
            QTest::keyClick(canvas, Qt::Key_D, Qt::ControlModifier);
            m_hasTyped = window->isWindowModified();
            note(m_hasTyped ? "edited" : "typed");
        }
    }

    void note(const QString& text) {
        QFile file(qEnvironmentVariable("TYPIST_LOG"));
        if (text != m_last && file.open(QIODevice::Append))
            file.write(text.toUtf8() + "\n");
        m_last = text;
    }

    QTimer m_timer;
    QString m_last;
    bool m_hasTyped = false;
};

} // namespace

class TypistPlugin final : public QGenericPlugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID QGenericPluginFactoryInterface_iid FILE "typist.json")

public:
    QObject* create(const QString&, const QString&) override { return new Typist; }
};

#include "typist.moc"
