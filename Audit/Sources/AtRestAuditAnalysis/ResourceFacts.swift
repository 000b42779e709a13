import AtRestAuditModel

/// The facts from a project's resources that the checks of code use.
package struct ResourceFacts: Sendable {
  /// The fields in interface files, by class and outlet: `LoginController.passwordField`.
  package var fields: [String: Field] = [:]
  /// The attributes of Core Data entities, by entity and by the class that represents it.
  package var entities: [String: [String]] = [:]
  /// The attributes of Core Data entities that are integers, as `Class.attribute`.
  package var integers: Set<String> = []
  /// The names of bundled files that hold secrets, without folders.
  package var filesWithSecrets: Set<String> = []
  /// The names of libraries in lock files, in lower case.
  package var dependencies: Set<String> = []

  /// The app groups in the entitlements, or nil if there are no entitlements with groups or one
  /// depends on the build.
  package var groups: Set<String>?
  /// True if the project has entitlements, and none with a group.
  package var lacksGroups = false
  /// True if the project builds an app.
  package var hasApplication = false
  /// True if the project has Info.plists of apps, and none declares a URL scheme.
  package var lacksURLSchemes = false
  /// The scenes of the interface files.
  package var interfaces: [InterfaceFacts] = []
  /// The hashes of names that files other than code, and code that is not read, mention.
  package var mentions: Set<UInt32> = []
  /// True if all code of a project was read, and the project is no library for others.
  package var isWhole = false
  /// True if an Info.plist declares scenes, to which the system passes URLs.
  package var declaresScenes = false

  package struct Field: Sendable {
    package let sensitivity: SensitiveKind?
    package let isSecure: Bool

    package init(sensitivity: SensitiveKind?, isSecure: Bool) {
      self.sensitivity = sensitivity
      self.isSecure = isSecure
    }
  }

  package init() {}
}
