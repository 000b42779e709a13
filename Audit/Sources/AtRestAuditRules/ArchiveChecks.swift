import AtRestAuditAnalysis
import AtRestAuditModel

/// Archives that any class may be in, and stored data that is believed.
enum ArchiveChecks {
  static func add(to set: inout CheckSet) {
    set.onCall([
      "unarchiveObject", "unarchiveObjectWithData", "unarchiveObjectWithFile",
      "unarchiveTopLevelObjectWithData",
    ]) { call, scope, pass in
      guard call.receiver?.lastName?.contains("Unarchiver") == true else { return }
      pass.report(
        .insecureArchive, at: call.expression, in: scope,
        "\(call.name) makes objects of whatever class the archive names")
    }
    set.onAssignment(["requiresSecureCoding"]) { assignment, scope, pass in
      guard case .boolean(false) = assignment.value.kind else { return }
      pass.report(
        .insecureArchive, at: assignment.expression, in: scope,
        "objects of whatever class the archive names are made")
    }
    set.onCall(["archivedData", "archivedDataWithRootObject", "NSKeyedArchiver"]) {
      call, scope, pass in
      guard let secure = call["requiringSecureCoding"], case .boolean(false) = secure.kind else {
        return
      }
      pass.report(
        .insecureArchive, at: call.expression, in: scope,
        "what is archived without secure coding can only be read back without it")
    }
    set.onType { type, file, pass in
      guard type.inherited.contains("NSCoding"), !type.inherited.contains("NSSecureCoding"),
        pass.project.types[type.name]?.inherited.contains("NSSecureCoding") != true,
        type.form != .protocol
      else { return }
      let end = type.nameOffset + Int32(clamping: type.name.utf8.count)
      pass.report(
        .insecureArchive, at: type.nameOffset..<max(end, type.nameOffset + 1), in: file,
        "\(type.name) is NSCoding and not NSSecureCoding, so its archives are read unchecked")
    }
    set.onType { type, file, pass in
      for variable in type.variables {
        guard let wrapper = variable.attributes.first(where: { $0.name == "AppStorage" }),
          let key = wrapper.arguments.first?.value.literal, decides(key),
          variable.type.map({ $0 == "Bool" }) ?? true
        else { continue }
        pass.report(
          .noIntegrityCheck, at: variable.range, in: file,
          "\(key) is believed as it is read from preferences, which anyone with the device can edit"
        )
      }
    }
    set.onCall(["bool", "boolForKey"]) { call, scope, pass in
      guard
        let key = (call["forKey"] ?? call[0]).flatMap({
          pass.inspector.constant($0, in: scope)?.text
        }),
        let receiver = call.receiver,
        (pass.inspector.type(of: receiver, in: scope).map(TypeName.plain) ?? "").hasSuffix(
          "UserDefaults")
          || (receiver.lastName ?? "").lowercased().hasSuffix("defaults"),
        decides(key)
      else { return }
      pass.report(
        .noIntegrityCheck, at: call.expression, in: scope,
        "\(key) is believed as it is read from preferences, which anyone with the device can edit")
    }
  }

  private static func decides(_ key: String) -> Bool {
    let words = Words.split(key)
    let joined = words.joined()
    return [
      "loggedin", "isloggedin", "authenticated", "isadmin", "ispremium", "haspremium", "purchased",
      "subscribed", "issubscribed", "unlocked", "licensed", "isjailbroken", "ispro", "paid",
      "isauthenticated", "userloggedin", "isloggedin", "fullversion", "premium", "adsremoved",
      "removeads",
    ].contains { joined.hasSuffix($0) }
  }
}
