extension Settings {
  var ownNames: OwnNames? { OwnNames(sensitive: sensitiveNames, harmless: harmlessNames) }
}
