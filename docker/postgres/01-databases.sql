-- Makes the databases and their owners, at the first start of an empty volume. The passwords come from the secrets.

do $$
declare
  owner text;
begin
  foreach owner in array array['shipments', 'temporal'] loop
    execute format(
      'create role %I login password %L',
      owner,
      btrim(pg_read_file('/run/secrets/' || owner || '_database_password'), E' \n\r\t')
    );
  end loop;
end
$$;

create database shipments owner shipments;

create database temporal owner temporal;

create database temporal_visibility owner temporal;

revoke connect on database shipments, temporal, temporal_visibility from public;
