import AtRestAuditModel

/// The catalogue of all rules.
public enum Rulebook {
  /// All rules, grouped by subject.
  public static let all: [Rule] = entries.map { $0.rule }

  /// The types of all rules. A new rule needs its own file, its fixtures and a line here.
  static var entries: [any CodeRule.Type] {
    [
      KeychainDefaultAccessibility.self,
      KeychainAccessibleAlways.self,
      KeychainNotThisDeviceOnly.self,
      KeychainSynchronizable.self,
      KeychainNoAccessControl.self,
      KeychainAccessibilityAndAccessControl.self,
      KeychainNotWipedFirstLaunch.self,
      KeychainNotWipedLogout.self,
      BiometryWeak.self,
      BiometryAnyEnrolment.self,
      BiometryPasscodeFallback.self,
      NoPasscodeCheck.self,
      UserDefaultsSensitive.self,
      UserDefaultsLarge.self,
      Cookies.self,
      Pasteboard.self,
      UserActivitySensitive.self,
      NotificationSensitive.self,
      PlaintextPlist.self,
      PlaintextArchive.self,
      PlaintextFile.self,
      NoFileProtection.self,
      BackupExclusionReliedOn.self,
      SharedContainer.self,
      CoreDataUnprotected.self,
      CoreDataNoFileProtection.self,
      CoreDataSensitiveAttribute.self,
      SwiftDataUnprotected.self,
      PlaintextSQLite.self,
      GRDBUnencrypted.self,
      RealmUnencrypted.self,
      CouchbaseUnencrypted.self,
      YapUnencrypted.self,
      FirebasePersistence.self,
      URLCacheOnDisk.self,
      WebViewCache.self,
      WebViewFileAccess.self,
      WebViewPasswordField.self,
      WebViewScriptWorld.self,
      HardcodedKey.self,
      HardcodedCredential.self,
      BundledKeyFile.self,
      StaticIV.self,
      StaticSalt.self,
      ECBMode.self,
      WeakCipher.self,
      WeakKeySize.self,
      WeakPasswordHash.self,
      WeakKDF.self,
      PasswordAsKey.self,
      InsecureRandom.self,
      PredictableKey.self,
      LogSensitive.self,
      SecureTextEntryMissing.self,
      AutocorrectionNotDisabled.self,
      BackgroundSnapshot.self,
      CustomKeyboards.self,
      DocumentSharing.self,
      SensitiveInURL.self,
      ThirdPartySharing.self,
      IPCInventory.self,
      InsecureArchive.self,
      NoIntegrityCheck.self,
      EntitlementUnused.self,
      PrivacyManifest.self,
      PurposeString.self,
      TrackingDomain.self,
      VulnerableDependency.self,
      LinuxNoOpProtection.self,
      ContainerCanary.self,
      ContainerCredential.self,
      ContainerKey.self,
      ContainerPayment.self,
      ContainerPersonalData.self,
      ContainerKeychainItem.self,
      ContainerSnapshot.self,
    ]
  }

  package static func severity(of rule: RuleID) -> Severity { severities[rule] ?? .medium }

  private static let severities = Dictionary(
    all.map { ($0.id, $0.severity) }, uniquingKeysWith: { first, _ in first })
}
