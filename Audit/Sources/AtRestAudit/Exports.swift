// A module that imports this one also gets the results of audits, the rules and the reports.
@_exported import AtRestAuditModel
@_exported import AtRestAuditReports
@_exported import AtRestAuditRules
@_exported import AtRestContainers
@_exported import AtRestFormats
