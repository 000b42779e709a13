import AtRestAuditModel
import AtRestFormats

/// A control of an interface file that a person types into, with what the file says of it.
package struct InterfaceField: Sendable {
  package enum Kind: String, Sendable { case textField, textView, searchBar }

  /// What an attribute leaves to the system, or decides.
  package enum Setting: String, Sendable {
    case standard = "default"
    case no, yes
  }

  /// A property of a class that refers to the field.
  package struct Outlet: Hashable, Sendable {
    /// The class that has it, if the file names one.
    package let owner: String?
    package let name: String

    package init(owner: String?, name: String) {
      self.owner = owner
      self.name = name
    }
  }

  package let kind: Kind
  /// Where its start tag stands.
  package let location: Location
  /// The identifier within the file.
  package let id: String
  /// The class of the field itself, if it is not the system's.
  package let customClass: String?
  /// The class of the controller or view that it belongs to.
  package let owner: String?
  package let outlets: [Outlet]
  /// What the field is called in the editor.
  package let userLabel: String?
  package let placeholder: String?
  /// What stands in it from the beginning.
  package let text: String?
  /// The text of the label beside or above it.
  package let caption: String?
  /// Names given for tests, restoration and assistive techniques.
  package let identifiers: [String]
  package let isSecure: Bool
  /// Whether a value can come into it, and somebody can see it.
  package let isEditable: Bool
  /// Whether the keyboard types into it; keys of the app's own fill it otherwise.
  package let usesKeyboard: Bool
  package let autocorrection: Setting
  package let spellChecking: Setting
  package let textContentType: String?
  package let keyboardType: String?
  /// Whether the document is one of AppKit, where a field has no traits.
  package let isAppKit: Bool

  /// What is typed into it, and by what it is told.
  package let subject: Subject?

  /// What a field is for, and where that is written.
  package struct Subject: Hashable, Sendable {
    package enum Evidence: String, Sendable {
      case outlet, contentType = "content type", placeholder, caption = "label", userLabel = "name",
        identifier, secureEntry = "secure entry", customClass = "class"
    }

    package let sensitivity: Sensitivity
    package let evidence: Evidence
    /// The words that tell.
    package let text: String

    package init(_ sensitivity: Sensitivity, _ evidence: Evidence, _ text: String) {
      self.sensitivity = sensitivity
      self.evidence = evidence
      self.text = text
    }
  }
}
