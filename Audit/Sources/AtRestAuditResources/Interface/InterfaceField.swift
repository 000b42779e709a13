import AtRestAuditModel
import AtRestFormats

/// A control in an interface file that accepts typed text, with its attributes.
package struct InterfaceField: Sendable {
  package enum Kind: String, Sendable { case textField, textView, searchBar }

  /// The value of an attribute: left to the system, off or on.
  package enum Setting: String, Sendable {
    case standard = "default"
    case no, yes
  }

  /// A property of a class that refers to the field.
  package struct Outlet: Hashable, Sendable {
    /// The class that declares the outlet, if the file names one.
    package let owner: String?
    package let name: String

    package init(owner: String?, name: String) {
      self.owner = owner
      self.name = name
    }
  }

  package let kind: Kind
  /// The location of its start tag.
  package let location: Location
  /// The identifier within the file.
  package let id: String
  /// The class of the field itself, if it is not one of the system's.
  package let customClass: String?
  /// The class of the controller or view that contains the field.
  package let owner: String?
  package let outlets: [Outlet]
  /// The name of the field in the editor.
  package let userLabel: String?
  package let placeholder: String?
  /// The initial text.
  package let text: String?
  /// The parts of the initial text, and where the file writes them.
  package let writtenText: [Finding.Secret]
  /// The text of the label beside or above the field.
  package let caption: String?
  /// Names for tests, state restoration and accessibility.
  package let identifiers: [String]
  package let isSecure: Bool
  /// True if a value can be entered, and people can see the field.
  package let isEditable: Bool
  /// True if the file hides the field, which code may show.
  package let isHidden: Bool
  /// True if the keyboard types into the field. Otherwise, the app's own keys fill it.
  package let usesKeyboard: Bool
  package let autocorrection: Setting
  package let spellChecking: Setting
  package let textContentType: String?
  package let keyboardType: String?
  /// True if the document is for AppKit, whose fields have no traits.
  package let isAppKit: Bool

  /// The sensitive value that is typed into the field, with the evidence, or nil if there is none.
  package let subject: Subject?

  /// The sensitive value that a field is for, with the evidence.
  package struct Subject: Hashable, Sendable {
    package enum Evidence: String, Sendable {
      case outlet
      case contentType = "content type"
      case placeholder
      case caption = "label"
      case userLabel = "name"
      case identifier
      case secureEntry = "secure entry"
      case customClass = "class"
    }

    package let sensitivity: SensitiveKind
    package let evidence: Evidence
    /// The text of the evidence.
    package let text: String

    package init(_ sensitivity: SensitiveKind, _ evidence: Evidence, _ text: String) {
      self.sensitivity = sensitivity
      self.evidence = evidence
      self.text = text
    }
  }
}
