// Whoever imports this module has the results of an audit, the rules and the reports with it.
@_exported import AtRestAuditModel
@_exported import AtRestAuditReports
@_exported import AtRestAuditRules
@_exported import AtRestContainers
@_exported import AtRestFormats
