import AtRestAuditModel

extension Rule.References {
  static let plaintext = Rule.References(
    masvs: ["MSTG-STORAGE-1", "MSTG-STORAGE-2"], maswe: ["MASWE-0001"],
    masweBeta: ["MASWE-0006", "MASWE-0002", "MASWE-0118"],
    mastg: ["MASTG-TEST-0300", "MASTG-TEST-0301", "MASTG-TEST-0302"], cwe: [311, 312])
}
