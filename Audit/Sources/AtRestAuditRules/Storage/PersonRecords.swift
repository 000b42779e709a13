import AtRestAuditAnalysis
import AtRestAuditModel

/// Types that describe a person, which an app stores as a whole: `User`, `PatientProfile`.
enum PersonRecords {
  /// Returns the evidence that values of a type describe a person, or nil.
  ///
  /// Two witnesses are needed beside the name of the type: properties that identify or describe a person in
  /// two ways, such as an address and a number, of which one may be the person's name.
  static func person(_ type: String, _ pass: Pass, depth: Int = 0) -> Evidence? {
    guard depth < 3,
      let facts = pass.project.types[TypeName.element(type) ?? TypeName.plain(type)],
      facts.declarations.contains(where: { [.struct, .class].contains($0.type.form) })
    else { return nil }
    let stored = StorageChecks.properties(of: facts, pass)
    if names(facts.name), let found = described(stored, of: facts.name) { return found }
    // A list is more often a catalogue, whose entries name their authors.
    guard TypeName.element(type) == nil else { return nil }
    for property in stored {
      guard let inner = property.type, TypeName.plain(inner) != facts.name,
        TypeName.element(inner) == nil, StorageChecks.isValue(inner, pass),
        let found = person(inner, pass, depth: depth + 1)
      else { continue }
      return found
    }
    return nil
  }

  /// Returns the evidence of properties with two meanings, of which one is more than a name.
  private static func described(_ properties: [Variable], of type: String) -> Evidence? {
    var meanings: [SecretKind: String] = [:]
    var name: String?
    for property in properties where property.type.map(holdsText) ?? true {
      if let found = SensitiveName(key: property.name), found.strength == .clear,
        !found.kind.sensitivity.isSecret, found.kind.sensitivity != .payment
      {
        if meanings[found.kind] == nil { meanings[found.kind] = property.name }
      } else if namesOfPeople.contains(Words.split(property.name).joined()) {
        name = name ?? property.name
      }
    }
    let all = meanings.sorted { $0.value < $1.value }
    guard let first = all.first,
      let second = all.count > 1 ? all[1].value : name
    else { return nil }
    return Evidence(
      sensitivity: first.key.sensitivity, name: "\(type).\(first.value) and \(second)",
      subject: first.value, owner: type)
  }

  private static func holdsText(_ type: String) -> Bool {
    texts.contains(TypeName.element(type) ?? TypeName.plain(type))
  }

  private static let texts: Set<String> = [
    "String", "NSString", "NSMutableString", "Date", "NSDate", "Int", "Double", "Float", "Any",
    "id",
  ]

  /// Returns true if the name of a type is that of a person or of a person's account: `User`,
  /// `UserProfileResponse`, `Me`. Companies have accounts and profiles too.
  private static func names(_ type: String) -> Bool {
    let words = Words.split(type)
    return words.contains(where: people.contains) && !words.contains(where: others.contains)
  }

  private static let people: Set<String> = [
    "user", "users", "userinfo", "userdata", "userprofile", "usermodel", "profile", "account",
    "patient", "me", "myself", "member", "person", "customer", "student", "pupil", "employee",
    "subscriber", "passenger", "identity",
  ]

  private static let others: Set<String> = [
    "company", "business", "organization", "organisation", "shop", "store", "restaurant",
    "merchant", "vendor", "seller", "provider", "hotel", "clinic", "hospital", "pharmacy", "server",
    "service", "bank", "support", "team", "group", "channel", "bot", "public", "office", "branch",
    "agency", "school", "place", "venue", "partner", "brand", "bundle", "app",
  ]

  private static let namesOfPeople: Set<String> = [
    "name", "firstname", "lastname", "fullname", "displayname", "username", "givenname",
    "familyname", "surname", "nickname", "middlename",
  ]
}
