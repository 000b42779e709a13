/// The keys of the settings.
enum SettingsKey: String, CaseIterable {
  case failOn = "fail-on"
  case strict
  case rules
  case exclude
  case include
  case vendored
  case generated
  case tests
  case baseline
  case advisories
  case sensitiveNames = "sensitive-names"
  case harmlessNames = "harmless-names"
  case checklist
}
