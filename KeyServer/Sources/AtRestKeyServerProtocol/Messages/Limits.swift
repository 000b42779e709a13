/// The sizes that client and server agree on. All are in bytes.
package enum Limits {
  /// An account's name.
  package static let account = 255
  /// A device's label.
  package static let label = 128
  /// The name of a key.
  package static let name = 128
  /// An enrolment code.
  package static let code = 64
  /// A realm, a device, an attempt or the identifier of a wrapped key.
  package static let identifier = 16
  /// A request's or an answer's body.
  package static let body = 4096
}
