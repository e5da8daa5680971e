#include "views/document/document.h"

#include "tests/support/test_registry.h"

#include <QSignalSpy>
#include <QtTest/QTest>

using core::Project;
using views::Document;

namespace {

core::Project named(const std::string& name) {
    Project project;
    project.name = name;
    return project;
}

views::ProjectEdit rename(const std::string& name) {
    return [name](const Project& project) -> core::Result<Project> {
        Project next = project;
        next.name = name;
        return next;
    };
}

core::Result<Project> refuse(const Project&) {
    return core::failure({.code = "test/refused", .location = {}, .message = "no", .hints = {}});
}

} // namespace

class DocumentTest : public QObject {
    Q_OBJECT

private slots:
    void anEditIsOneStepBackAndForth() {
        Document document;
        document.open(named("a"), "a.ipuproj");
        QVERIFY(!document.isDirty());
        QVERIFY(document.apply("Rename", rename("b")));
        QCOMPARE(document.project().name, std::string("b"));
        QVERIFY(document.isDirty());
        QCOMPARE(document.undoStack().undoText(), "Rename");
        document.undoStack().undo();
        QCOMPARE(document.project().name, std::string("a"));
        QVERIFY(!document.isDirty());
        document.undoStack().redo();
        QCOMPARE(document.project().name, std::string("b"));
    }

    void undoingManyEditsGivesBackTheVerySameSnapshots() {
        Document document;
        document.open(named("0"), {});
        std::vector<views::ProjectSnapshot> snapshots{document.snapshot()};
        for (int i = 1; i <= 300; ++i) {
            QVERIFY(document.apply("Rename", rename(std::to_string(i))));
            snapshots.push_back(document.snapshot());
        }
        for (int i = 299; i >= 0; --i) {
            document.undoStack().undo();
            QCOMPARE(document.snapshot(), snapshots[std::size_t(i)]);
        }
    }

    void aRefusedEditChangesNothingAndSaysWhy() {
        Document document;
        document.open(named("a"), {});
        QSignalSpy refused(&document, &Document::refused);
        const views::ProjectSnapshot before = document.snapshot();
        QVERIFY(!document.apply("Break", refuse));
        QCOMPARE(document.snapshot(), before);
        QCOMPARE(refused.count(), 1);
        QVERIFY(!document.undoStack().canUndo());
    }

    void anEditWithoutEffectLeavesNoStep() {
        Document document;
        document.open(named("a"), {});
        QVERIFY(document.apply("Rename", rename("a")));
        QVERIFY(!document.undoStack().canUndo());
        QVERIFY(!document.isDirty());
    }

    void editsWithOneMergeKeyBecomeOneStep() {
        Document document;
        document.open(named("a"), {});
        for (const char* name : {"b", "c", "d"})
            QVERIFY(document.apply("Rename", rename(name), "typing"));
        QVERIFY(document.apply("Rename", rename("e"), "other"));
        QCOMPARE(document.undoStack().count(), 2);
        document.undoStack().undo();
        QCOMPARE(document.project().name, std::string("d"));
        document.undoStack().undo();
        QCOMPARE(document.project().name, std::string("a"));
    }

    void mergedEditsThatReturnToTheStartVanish() {
        Document document;
        document.open(named("a"), {});
        QVERIFY(document.apply("Rename", rename("b"), "typing"));
        QVERIFY(document.apply("Rename", rename("a"), "typing"));
        QVERIFY(!document.undoStack().canUndo());
        QCOMPARE(document.project().name, std::string("a"));
    }

    void savingMakesItCleanUnderItsNewPath() {
        Document document;
        document.open(named("a"), {});
        QCOMPARE(document.title(), "a");
        QVERIFY(document.apply("Rename", rename("b")));
        document.markSaved("/tmp/x.ipuproj");
        QVERIFY(!document.isDirty());
        QCOMPARE(document.title(), "x.ipuproj");
        document.undoStack().undo();
        QVERIFY(document.isDirty());
    }

    void restoredWorkIsUnsavedUntilItIsSaved() {
        Document document;
        document.open(named("a"), "a.ipuproj");
        document.markUnsaved();
        QVERIFY(document.isDirty());
        document.markSaved("a.ipuproj");
        QVERIFY(!document.isDirty());
    }

    void lateResultsOfAnOlderSnapshotAreIgnored() {
        Document document;
        document.open(named("a"), {});
        const views::ProjectSnapshot old = document.snapshot();
        QVERIFY(document.apply("Rename", rename("b")));
        document.setEstimate(old, core::PlanEstimate{});
        QVERIFY(!document.estimate());
        document.setEstimate(document.snapshot(), core::PlanEstimate{});
        QVERIFY(document.estimate());
        QVERIFY(document.isEstimateCurrent());
        QVERIFY(document.apply("Rename", rename("c")));
        QVERIFY(document.estimate());
        QVERIFY(!document.isEstimateCurrent());
    }

    void aPreviewHasItsOwnEstimateAndEndsWithTheNextEdit() {
        Document document;
        document.open(named("a"), {});
        const auto preview = std::make_shared<const Project>(named("b"));
        document.setPreview(preview);
        core::PlanEstimate estimate;
        estimate.samplesPerSecond = 7;
        document.setEstimate(preview, estimate);
        QCOMPARE(document.previewEstimate()->samplesPerSecond, 7.0);
        QVERIFY(!document.estimate());
        QVERIFY(document.apply("Rename", rename("b")));
        QVERIFY(!document.preview());
        QVERIFY(!document.previewEstimate());
    }
};

REGISTER_WIDGET_TEST("document", DocumentTest)
#include "document_test.moc"
