/** The page of rows that meet a condition, whose parameters begin with `$4`, as bare SQL: organization, limit, offset. */
export function pageSql(condition = ''): string {
  const where = `organization_id = $1 and deleted_at is null ${condition}`;
  return `select s.id, s.tracking_number, s.status, s.priority, s.external_reference, s.recipient->>'firstName' as first_name,
      s.recipient->>'lastName' as last_name, s.delivery_deadline, s.created_at, s.updated_at
    from (select id from shipments where ${where} order by created_at desc, id desc limit $2 offset $3) p
    join shipments s on s.id = p.id order by s.created_at desc, s.id desc`;
}

/** The exact count of the same rows. */
export function countSql(condition = ''): string {
  return `select count(*) as total from shipments where organization_id = $1 and deleted_at is null
    and $2::int is not null and $3::int is not null ${condition}`;
}
