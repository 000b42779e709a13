import AtRestAuditAnalysis
import AtRestAuditModel

/// Pictures of papers about a person, such as a prescription or a passport, that code writes to files.
enum Pictures {
  /// Returns the evidence that a value is the data of a picture, and that the names around it say of what, or
  /// nil.
  static func evidence(
    of value: Expression, in place: Expression, _ scope: Scope, _ pass: Pass
  ) -> Evidence? {
    let path = scope.file.path.split(separator: "/").last.map(String.init) ?? ""
    let names =
      [FileChecks.fileName(place, scope, pass), scope.function?.name, scope.owner, path]
      .compactMap(\.self) + [place.written, value.written]
      + (scope.function?.parameters.map(\.name) ?? [])
    guard let paper = names.lazy.compactMap(paper).first,
      pass.inspector.isMade(value, by: makers, in: scope)
    else { return nil }
    return Evidence(
      sensitivity: paper.kind, name: "a picture, \(paper.name)", source: .use, subject: paper.name)
  }

  /// Functions that make the data of a file from a picture.
  private static let makers: Set<String> = [
    "jpegData", "pngData", "heicData", "UIImageJPEGRepresentation", "UIImagePNGRepresentation",
  ]

  /// Returns the paper that a name speaks of: `uploadPrescription`, `idCardFront`.
  private static func paper(in name: String) -> (kind: SensitiveKind, name: String)? {
    let words = Words.split(name)
    let pairs = zip(words, words.dropFirst()).map { "\($0) \($1)" }
    if let found = (words + pairs).first(where: health.contains) { return (.health, found) }
    return (words + pairs).first(where: identity.contains).map { (.identity, $0) }
  }

  private static let health: Set<String> = [
    "prescription", "prescriptions", "medical", "patient", "xray", "x ray", "diagnosis",
    "insurance",
    "lab result", "labs", "vaccination", "vaccine",
  ]

  private static let identity: Set<String> = [
    "passport", "id card", "identity card", "national id", "driver license", "driving licence",
    "drivers license", "driving license", "kyc", "id document", "identity document", "id front",
    "id back", "selfie",
  ]
}
