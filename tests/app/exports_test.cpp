#include "app/window/exports.h"

#include "app/services/catalogue/export_document.h"
#include "app/services/catalogue/view_table.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/profile/exports/csv.h"
#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QSignalSpy>
#include <algorithm>
#include <set>

using tests::WindowBench;

namespace {

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Triggers an action of File > Export that writes to `name` in the bench's folder; answers what it wrote.
QByteArray exported(const WindowBench& bench, const QString& action, const QString& name) {
    bench.dialogs->target = bench.folder.filePath(name);
    QAction* found = bench.window->actions().action(action);
    if (found == nullptr || !found->isEnabled())
        return {};
    found->trigger();
    if (!QTest::qWaitFor([&] { return !bench.window->exports().isBusy(); }, 10000))
        return {};
    return read(bench.dialogs->target);
}

} // namespace

class ExportsTest : public QObject {
    Q_OBJECT

private slots:
    void everyFormatHasAllItsParts() {
        std::set<std::string_view> names;
        for (const app::ExportFormat& format : app::exportFormats()) {
            const char* name = format.name.data();
            QVERIFY2(names.insert(format.name).second, name);
            QVERIFY2(app::findExportFormat(format.name) == &format, name);
            QVERIFY2(!format.title.empty() && !format.suffix.empty() && !format.fileKind.empty(), name);
            QVERIFY2(format.isPicture || format.ofProject != nullptr || format.ofRun != nullptr, name);
            QVERIFY2((format.variants != nullptr) == !format.option.empty(), name);
            QVERIFY2(format.option.empty() == format.optionHelp.empty(), name);
            const auto variants = app::variantsOf(format);
            QVERIFY2(std::ranges::find(variants, format.defaultVariant, &app::ExportVariant::name) !=
                         variants.end(),
                     name);
        }
    }

    void aProjectIsWrittenInEveryFormatOfTheBatch() {
        WindowBench bench;
        QVERIFY(!bench.window->actions().action("export.keras-json")->isEnabled());
        QVERIFY(bench.window->files().open(bench.writeProject()));
        const core::Project& project = bench.window->document().project();
        for (const app::ExportFormat& format : app::exportFormats()) {
            if (format.ofProject == nullptr)
                continue;
            for (const app::ExportVariant& variant : app::variantsOf(format)) {
                QString name = QString::fromUtf8(format.name.data(), qsizetype(format.name.size()));
                if (!variant.name.empty())
                    name += "-" + QString::fromStdString(variant.name);
                const auto text = format.ofProject(project, core::RunMode::Train, {}, variant.name);
                QVERIFY2(text.has_value(), qPrintable(name));
                QCOMPARE(exported(bench, "export." + name, "out." + name), QByteArray::fromStdString(*text));
            }
        }
        QVERIFY(exported(bench, "export.schedule-picture", "schedule.svg").contains("<svg"));
    }

    void aRunIsWrittenInEveryFormatOfTheBatch() {
        WindowBench bench;
        QVERIFY(bench.window->files().open(bench.writeProject()));
        QVERIFY(!bench.window->actions().action("export.chrome-trace")->isEnabled());
        QVERIFY(bench.run());
        const QByteArray trace = exported(bench, "export.chrome-trace", "trace.json");
        QVERIFY(core::Json::parse(trace.toStdString()).contains("traceEvents"));
        for (const char* detail : {"spans", "operations"})
            QVERIFY(
                exported(bench, QString("export.perfetto.") + detail, "run.perfetto-trace").startsWith('\n'));
        for (const std::string& table : core::exportTableNames()) {
            const QString name = QString::fromStdString(table);
            QVERIFY2(exported(bench, "export.csv." + name, name + ".csv").contains("\r\n"), qPrintable(name));
        }
        for (const app::RunPicture& picture : app::runPictures()) {
            const QString name = QString::fromUtf8(picture.name.data(), qsizetype(picture.name.size()));
            QVERIFY2(exported(bench, "export.picture." + name, name + ".svg").contains("<svg"),
                     qPrintable(name));
        }
    }

    void whatCannotBeWrittenIsSaidAndLeavesNothing() {
        WindowBench bench;
        QVERIFY(bench.window->files().open(bench.writeProject()));
        QSignalSpy failed(&bench.window->exports(), &app::Exports::failed);
        QVERIFY(exported(bench, "export.keras-json", "no/such/folder/model.json").isEmpty());
        QTRY_COMPARE(failed.count(), 1);
        bench.dialogs->target = bench.folder.filePath("picture.bmp");
        bench.window->actions().action("export.schedule-picture")->trigger();
        QCOMPARE(failed.count(), 2);
        QVERIFY(!QFile::exists(bench.dialogs->target));
    }

    void aNameWithoutAnEndingReplacesNothingUnasked() {
        WindowBench bench;
        QVERIFY(bench.window->files().open(bench.writeProject()));
        QVERIFY(!exported(bench, "export.keras-json", "model").size());
        const QString path = bench.folder.filePath("model.json");
        QVERIFY(read(path).startsWith('{'));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("mine");
        file.close();
        bench.dialogs->confirms = false;
        (void)exported(bench, "export.keras-json", "model");
        QCOMPARE(read(path), QByteArray("mine"));
        QVERIFY(bench.dialogs->asked.contains("Replace model.json?"));
        bench.dialogs->confirms = true;
        (void)exported(bench, "export.keras-json", "model");
        QVERIFY(read(path).startsWith('{'));
    }
};

REGISTER_WIDGET_TEST("exports", ExportsTest)
#include "exports_test.moc"
