/// A control of an interface file that a person types into, with what the file says of it.
public struct InterfaceField: Sendable {
  public enum Kind: String, Sendable { case textField, textView, searchBar }

  /// What an attribute leaves to the system, or decides.
  public enum Setting: String, Sendable {
    case standard = "default"
    case no, yes
  }

  /// A property of a class that refers to the field.
  public struct Outlet: Hashable, Sendable {
    /// The class that has it, if the file names one.
    public let owner: String?
    public let name: String

    public init(owner: String?, name: String) {
      self.owner = owner
      self.name = name
    }
  }

  public let kind: Kind
  /// Where its start tag stands.
  public let location: Location
  /// The identifier within the file.
  public let id: String
  /// The class of the field itself, if it is not the system's.
  public let customClass: String?
  /// The class of the controller or view that it belongs to.
  public let owner: String?
  public let outlets: [Outlet]
  /// What the field is called in the editor.
  public let userLabel: String?
  public let placeholder: String?
  /// What stands in it from the beginning.
  public let text: String?
  /// The text of the label beside or above it.
  public let caption: String?
  /// Names given for tests, restoration and assistive techniques.
  public let identifiers: [String]
  public let isSecure: Bool
  /// Whether a value can come into it, and somebody can see it.
  public let isEditable: Bool
  /// Whether the keyboard types into it; keys of the app's own fill it otherwise.
  public let usesKeyboard: Bool
  public let autocorrection: Setting
  public let spellChecking: Setting
  public let textContentType: String?
  public let keyboardType: String?
  /// Whether the document is one of AppKit, where a field has no traits.
  public let isAppKit: Bool

  /// What is typed into it, and by what it is told.
  public let subject: Subject?

  /// What a field is for, and where that is written.
  public struct Subject: Hashable, Sendable {
    public enum Evidence: String, Sendable {
      case outlet, contentType = "content type", placeholder, caption = "label", userLabel = "name",
        identifier, secureEntry = "secure entry", customClass = "class"
    }

    public let sensitivity: Sensitivity
    public let evidence: Evidence
    /// The words that tell.
    public let text: String

    public init(_ sensitivity: Sensitivity, _ evidence: Evidence, _ text: String) {
      self.sensitivity = sensitivity
      self.evidence = evidence
      self.text = text
    }
  }
}
