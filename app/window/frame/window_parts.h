#pragma once

namespace views {
class Document;
class ProfileSource;
class Selection;
} // namespace views

namespace app {

class Appearance;
class Dialogs;
class Intents;
class ProjectFiles;
class Recovery;
class RunController;
class WindowSettings;
class Workspaces;

/// What the parts of the window meet in; the window owns all of it and it outlives every view.
struct WindowParts {
    views::Document& document;
    views::Selection& selection;
    views::ProfileSource& source;
    WindowSettings& settings;
    Dialogs& dialogs;
    ProjectFiles& files;
    Recovery& recovery;
    RunController& runs;
    Appearance& appearance;
    Intents& intents;
};

} // namespace app
