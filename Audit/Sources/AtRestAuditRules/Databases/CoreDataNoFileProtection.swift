import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let coreDataNoFileProtection = RuleID("core-data-no-file-protection")
}

/// Finds Core Data stores without complete file protection.
enum CoreDataNoFileProtection: CodeRule {
  static let rule = Rule(
    .coreDataNoFileProtection, "Core Data store without complete file protection",
    severity: .low, level: .required,
    consequence:
      "Once the device has been unlocked after it was switched on, the database can be read even "
      + "while the device is locked.",
    remedy:
      "Set the option NSPersistentStoreFileProtectionKey of the NSPersistentStoreDescription to "
      + "FileProtectionType.complete before the store is loaded.",
    references: .init(masvs: ["MSTG-STORAGE-1"], mastg: ["MASTG-TEST-0299"], cwe: [311, 922]),
    bad: .init(
      "Store.swift",
      """
      func load() -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Model")
        container.loadPersistentStores { _, error in assert(error == nil) }
        return container
      }
      """),
    good: .init(
      "Store.swift",
      """
      func load() -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Model")
        container.persistentStoreDescriptions.first?.setOption(
          FileProtectionType.complete as NSObject, forKey: NSPersistentStoreFileProtectionKey)
        container.loadPersistentStores { _, error in assert(error == nil) }
        return container
      }
      """))

  static func add(to set: inout CheckSet) {
    set.note(["NSPersistentStoreFileProtectionKey"])
    set.onCall([
      "NSPersistentContainer", "NSPersistentCloudKitContainer", "persistentContainerWithName",
      "addPersistentStore", "addPersistentStoreWithType",
    ]) { call, scope, pass in
      if call.name.hasPrefix("NSPersistent"), call["name"] == nil { return }
      if let type = call["ofType"]?.lastName ?? call[0]?.lastName,
        type == "NSInMemoryStoreType" || type == "inMemory"
      {
        return
      }
      if isProtected(pass.project) || scope.isMigration { return }
      pass.report(
        .coreDataNoFileProtection, at: call.expression, in: scope,
        "the store is opened without NSPersistentStoreFileProtectionKey, so it stays readable "
          + "after the first unlock")
    }
    // `final class Container: NSPersistentContainer {}`
    set.onScope { scope, pass in
      for call in scope.calls where call.receiver == nil && call["name"] != nil {
        guard pass.project.types[call.name] != nil,
          pass.project.type(
            call.name, is: ["NSPersistentContainer", "NSPersistentCloudKitContainer"]),
          !isProtected(pass.project)
        else { continue }
        pass.report(
          .coreDataNoFileProtection, at: call.expression, in: scope,
          "the store is opened without NSPersistentStoreFileProtectionKey, so it stays readable "
            + "after the first unlock")
      }
    }
    set.onCall(["initWithName"]) { call, scope, pass in
      guard let receiver = call.receiver,
        pass.inspector.type(of: receiver, in: scope)?.hasPrefix("NSPersistent") == true,
        !isProtected(pass.project)
      else { return }
      pass.report(
        .coreDataNoFileProtection, at: call.expression, in: scope,
        "the store is opened without NSPersistentStoreFileProtectionKey, so it stays readable "
          + "after the first unlock")
    }
  }

  private static func isProtected(_ project: ProjectFacts) -> Bool {
    project.mentioned.contains("NSPersistentStoreFileProtectionKey")
      || project.imports.contains("EncryptedCoreData")
      || project.resources.dependencies.contains("encryptedcoredata")
  }
}
