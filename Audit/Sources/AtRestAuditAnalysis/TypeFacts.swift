import AtRestAuditModel

/// The declarations of one type in all files, or of several types with the same name in different
/// targets.
package struct TypeFacts: Sendable {
  package let name: String
  package var declarations: [(type: TypeDeclaration, file: SourceFile)] = []
  package var inherited: [String] = []
  package var variables: [String: (variable: Variable, file: SourceFile)] = [:]
  /// The properties of all types with this name that are in ``variables`` only once.
  var namesakes: [String: [(variable: Variable, file: SourceFile)]] = [:]

  /// The declarations of Swift other than extensions, of which each type has one.
  private var mains: [(type: TypeDeclaration, file: SourceFile)] {
    declarations.filter { $0.type.form != .extension && $0.file.language == .swift }
  }

  /// Returns the property of the type that a file means, or nil if that type has none with this
  /// name. Other targets may have types of the same name.
  func property(
    _ name: String, near file: SourceFile
  ) -> (variable: Variable, file: SourceFile)? {
    guard let found = variables[name] else { return nil }
    let mains = mains
    guard mains.count > 1, let own = Self.meant(mains, near: file) else { return found }
    let candidates = [found] + (namesakes[name] ?? [])
    return candidates.first { Self.meant(mains, near: $0.file).map { $0 === own } ?? true }
  }

  /// Returns the type that a file means, or nil if several are as near.
  private static func meant(
    _ types: [(type: TypeDeclaration, file: SourceFile)], near file: SourceFile
  ) -> TypeDeclaration? {
    let near = Nearness.nearest(types, to: file) { $0.file }
    return near.count == 1 ? near[0].type : nil
  }
}
